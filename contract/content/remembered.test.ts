import { expect, it } from 'vitest'
import { remembered } from './remembered.ts'

it('makes the result of a text once', () => {
  const made: string[] = []
  const length = remembered((text) => made.push(text) && text.length)
  expect([length('one'), length('three'), length('one')]).toEqual([3, 5, 3])
  expect(made).toEqual(['one', 'three'])
})

it('forgets texts when they are too long together, and makes their results anew', () => {
  let made = 0
  const count = remembered((text) => {
    made += 1
    return text.length
  })
  const long = 'x'.repeat(300_000)
  for (const text of [`${long}a`, `${long}b`, `${long}b`, `${long}a`]) expect(count(text)).toBe(300_001)
  expect(made).toBe(3)
})
