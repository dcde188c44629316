import { describe, expect, it } from 'vitest'
import { operations } from '../../contract/operations.ts'
import { ApiError } from '../errors.ts'
import { validator } from './validation.ts'

const checkSubscription = validator(operations.createWebhookSubscription.body, 'body')
const checkUser = validator(operations.upsertUser.body, 'body')

function problemsOf(check: ReturnType<typeof validator>, body: object, source?: Buffer): number {
  try {
    check(body, source)
  } catch (error) {
    if (error instanceof ApiError) return error.problems?.length ?? 1
  }
  return 0
}

const topics = (count: number) => ({ url: 'https://example.com/', topics: Array.from({ length: count }, () => 'none') })
const attributes = (count: number, value: unknown) => ({
  id: 'u',
  attributes: Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, value])),
})

describe('a body with many problems', () => {
  it('is told each of them', () => {
    expect(problemsOf(checkSubscription, topics(50))).toBe(50)
    expect(problemsOf(checkUser, attributes(50, []))).toBe(50)
  })

  // ajv keeps all problems.
  it('is told the first when it is large, and no others are looked for', () => {
    expect(problemsOf(checkSubscription, topics(5_000))).toBe(1)
    expect(problemsOf(checkUser, attributes(5_000, []))).toBe(1)
    expect(problemsOf(checkUser, { id: 'u', attributes: [{}, attributes(5_000, 1)] })).toBe(1)
    expect(problemsOf(checkUser, attributes(50, []), Buffer.alloc(2 ** 20 + 1))).toBe(1)
  })

  it('is valid or not whatever its size', () => {
    expect(problemsOf(checkUser, attributes(5_000, 1))).toBe(0)
    expect(problemsOf(checkUser, { ...attributes(5_000, 1), id: 9 })).toBe(0)
    expect(problemsOf(checkUser, { ...attributes(5_000, 1), groups: 9 })).toBe(1)
  })
})
