import { expect, it } from 'vitest'
import type { EnvironmentId } from '../database/database.ts'
import { hintKey, hintSubject } from '../hints/keys.ts'
import { REMEMBERED_MS, RecentChanges } from './recent-changes.ts'

const ENVIRONMENT = 1 as EnvironmentId
const ACME = hintSubject('group', 'acme')
const NOW = 1_000_000
const all = (subjects: string[]) => ({ subjects, sessions: new Map<string, string>() })
const some = (...subjects: string[]) => all(subjects)
const ids = (count: number) => Array.from({ length: count }, (_, n) => `user_${n}`)
const watching = () => new RecentChanges(ENVIRONMENT, NOW - REMEMBERED_MS)

it('a stream has missed a change of its user or its group, from this node or another, and none of others', () => {
  const recent = watching()
  recent.note(some('ada'), false, NOW)
  recent.note(some(hintKey(ENVIRONMENT, ACME)), true, NOW)
  recent.note({ subjects: [], sessions: new Map([['ses_1', 'bob']]) }, false, NOW)
  expect(recent.mayHaveMissed(['ada'], NOW + 1)).toBe(true)
  expect(recent.mayHaveMissed(['eve', ACME], NOW + 1)).toBe(true)
  expect(recent.mayHaveMissed(['bob'], NOW + 1)).toBe(true)
  expect(recent.mayHaveMissed(['eve', hintSubject('group', 'ada')], NOW + 1)).toBe(false)
})

it('a change counts for ten seconds after the last time', () => {
  const recent = watching()
  recent.note(some('ada', 'bob'), false, NOW)
  recent.note(some('ada'), false, NOW + 6_000)
  expect(recent.mayHaveMissed(['bob'], NOW + REMEMBERED_MS)).toBe(false)
  expect(recent.mayHaveMissed(['ada'], NOW + REMEMBERED_MS)).toBe(true)
})

it('when everyone is told, or more than it remembers, everyone has missed something', () => {
  const [told, many] = [watching(), watching()]
  told.note({ subjects: 'everyone', sessions: new Map() }, false, NOW)
  for (const _ of [1, 2, 3, 4]) many.note(all(ids(40_000)), false, NOW)
  for (const recent of [told, many]) {
    expect(recent.mayHaveMissed(['eve'], NOW + 1)).toBe(true)
    expect(recent.mayHaveMissed(['eve'], NOW + REMEMBERED_MS)).toBe(false)
  }
})

it('remembers a hundred thousand ids', () => {
  const recent = watching()
  recent.note(all(ids(100_000)), false, NOW)
  expect(recent.mayHaveMissed(['eve'], NOW + 1)).toBe(false)
})

it('who has heard of changes for less than ten seconds cannot know', () => {
  const recent = new RecentChanges(ENVIRONMENT, NOW)
  expect(recent.mayHaveMissed(['ada'], NOW + REMEMBERED_MS - 1)).toBe(true)
  expect(recent.mayHaveMissed(['ada'], NOW + REMEMBERED_MS)).toBe(false)
})

it('forgets what is older than that, also when nothing more is told', () => {
  const recent = new RecentChanges(ENVIRONMENT, NOW - REMEMBERED_MS)
  recent.note(some('ada'), false, NOW)
  recent.forget(NOW + REMEMBERED_MS)
  // A clock that showed the same time again would find it.
  expect(recent.mayHaveMissed(['ada'], NOW)).toBe(false)
})
