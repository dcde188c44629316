import { expect, it } from 'vitest'
import { PendingHints } from './pending.ts'

it('changes are gathered, and taken once', () => {
  const pending = new PendingHints()
  for (const subject of ['a', 'b', 'a']) pending.add(subject)
  pending.addSession('s', 'a')
  expect(pending.take(0)).toEqual({ subjects: ['a', 'b', 'a'], sessions: new Map([['s', 'a']]) })
  expect(pending.take(0)).toBeUndefined()
  expect(pending.isIdle(0)).toBe(true)
})

it('one that changes often is one, however many others there are', () => {
  const pending = new PendingHints()
  for (let number = 0; number < 5_000; number += 1) pending.add(String(number % 500))
  expect(new Set(pending.take(0)?.subjects).size).toBe(500)
  for (let number = 0; number < 900; number += 1) pending.add('often')
  for (let number = 0; number < 500; number += 1) pending.add(String(number))
  expect(pending.take(0)?.subjects).toBe('everyone')
})

it('too many of them are everyone, who are told at most every ten seconds; nothing is forgotten meanwhile', () => {
  const pending = new PendingHints()
  const addMany = () => {
    for (let number = 0; number < 501; number += 1) pending.add(String(number))
  }
  addMany()
  expect(pending.take(1_000)?.subjects).toBe('everyone')
  expect(pending.isIdle(1_000)).toBe(false)
  addMany()
  expect(pending.take(2_000)).toBeUndefined()
  pending.add('late')
  expect(pending.take(11_000)?.subjects).toBe('everyone')
  pending.add('later')
  expect(pending.take(11_020)?.subjects).toEqual(['later'])
  expect(pending.isIdle(21_000)).toBe(true)
})
