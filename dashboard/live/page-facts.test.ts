import { expect, it } from 'vitest'
import { pageFacts } from './page-facts.ts'

it('an answer to a page says whether its user is verified, and what was not written', () => {
  const answer = { visitor: 'v', verified: false, ignored: [{ name: 'plan', reason: 'the back end writes it' }] }
  expect(pageFacts('/sdk/identify', JSON.stringify(answer))).toEqual({
    verified: false,
    ignored: answer.ignored,
    ignoredMore: 0,
  })
  expect(pageFacts('/sdk/update', '{"ignored":[]}')).toEqual({ verified: undefined, ignored: [], ignoredMore: 0 })
  expect(pageFacts('/sdk/update', JSON.stringify({ ...answer, ignored_more: 7 }))?.ignoredMore).toBe(7)
})

it('an answer that was cut, is hidden, or is to somebody else says nothing', () => {
  expect(pageFacts('/sdk/identify', '{"verified":fal')).toBeUndefined()
  expect(pageFacts('/sdk/identify', null)).toBeUndefined()
  expect(pageFacts('/users', '{"verified":true}')).toBeUndefined()
})
