import { expect, it } from 'vitest'
import { ApiError } from '../errors.ts'
import { hashPassword, isPassword } from './passwords.ts'

it('of sixty uses of links at once few wait and the others are refused, and signing in waits for none of them', async () => {
  const stored = await hashPassword('right')
  let areUsed = false
  const outcomes = Promise.allSettled(Array.from({ length: 60 }, () => hashPassword('new'))).finally(() => {
    areUsed = true
  })
  expect(await isPassword('right', stored)).toBe(true)
  expect(areUsed).toBe(false)
  const refused = (await outcomes).filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
  // One is hashed, and eight wait for it.
  expect(refused).toHaveLength(51)
  for (const { reason } of refused) expect(reason).toBeInstanceOf(ApiError)
})
