import { expect, it } from 'vitest'
import { PendingHints } from './pending.ts'

it('changes are gathered, and taken once', () => {
  const pending = new PendingHints()
  for (const key of ['a', 'b', 'a']) pending.add(key)
  pending.addSession('s', 'a')
  expect(pending.take(0)).toEqual({ keys: new Set(['a', 'b']), sessions: new Map([['s', 'a']]) })
  expect(pending.take(0)).toBeUndefined()
  expect(pending.isIdle(0)).toBe(true)
})

it('too many of them are everyone, who are told at most every ten seconds; nothing is forgotten meanwhile', () => {
  const pending = new PendingHints()
  const addMany = () => {
    for (let key = 0; key < 501; key += 1) pending.add(String(key))
  }
  addMany()
  expect(pending.take(1_000)?.keys).toBe('everyone')
  expect(pending.isIdle(1_000)).toBe(false)
  addMany()
  expect(pending.take(2_000)).toBeUndefined()
  pending.add('late')
  expect(pending.take(11_000)?.keys).toBe('everyone')
  pending.add('later')
  expect(pending.take(11_020)?.keys).toEqual(new Set(['later']))
  expect(pending.isIdle(21_000)).toBe(true)
})
