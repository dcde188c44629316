import { expect, it } from 'vitest'
import { deliveryFailureCodes, deliveryFailures, failureCodeOf, failureText } from './delivery-failures.ts'

it.each(deliveryFailureCodes)('the text of %s leads back to its code, whatever follows its words', (code) => {
  expect(failureCodeOf(deliveryFailures[code])).toBe(code)
  if (deliveryFailures[code].endsWith(' ')) expect(failureCodeOf(`${deliveryFailures[code]}15 s`)).toBe(code)
})

it('no failure, and a text that is not known, have no code', () => {
  expect(failureCodeOf(null)).toBeNull()
  expect(failureCodeOf('something new')).toBeNull()
})

it('the texts that are stored stay as they are', () => {
  expect(failureText('not_acknowledged', 503)).toBe('the receiver answered 503')
  expect(failureText('response_timeout', '15 s')).toBe('no response within 15 s')
  expect(failureText('address_forbidden', '10.0.0.1 is private')).toBe('the address 10.0.0.1 is private')
})
