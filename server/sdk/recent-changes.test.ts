import { expect, it } from 'vitest'
import { hintKey } from '../hints/keys.ts'
import { REMEMBERED_MS, RecentChanges } from './recent-changes.ts'

const NOW = 1_000_000
const some = (...subjects: string[]) => ({ subjects: new Set(subjects), sessions: new Map<string, string>() })
const watching = () => new RecentChanges(NOW - REMEMBERED_MS)

it('a stream has missed a change of its user or its group, from this node or another, and none of others', () => {
  const recent = watching()
  recent.note(some('1 user ada', hintKey('1 group acme')), NOW)
  recent.note({ subjects: new Set(), sessions: new Map([['ses_1', '1 user bob']]) }, NOW)
  expect(recent.mayHaveMissed(['1 user ada'], NOW + 1)).toBe(true)
  expect(recent.mayHaveMissed(['1 user eve', '1 group acme'], NOW + 1)).toBe(true)
  expect(recent.mayHaveMissed(['1 user bob'], NOW + 1)).toBe(true)
  expect(recent.mayHaveMissed(['1 user eve', '1 group other'], NOW + 1)).toBe(false)
})

it('a change counts for ten seconds after the last time', () => {
  const recent = watching()
  recent.note(some('1 user ada', '1 user bob'), NOW)
  recent.note(some('1 user ada'), NOW + 6_000)
  expect(recent.mayHaveMissed(['1 user bob'], NOW + REMEMBERED_MS)).toBe(false)
  expect(recent.mayHaveMissed(['1 user ada'], NOW + REMEMBERED_MS)).toBe(true)
})

it('when everyone is told, or more than it remembers, everyone has missed something', () => {
  const [told, many] = [watching(), watching()]
  told.note({ subjects: 'everyone', sessions: new Map() }, NOW)
  many.note(some(...Array.from({ length: 10_001 }, (_, index) => `1 user u${index}`)), NOW)
  for (const recent of [told, many]) {
    expect(recent.mayHaveMissed(['1 user eve'], NOW + 1)).toBe(true)
    expect(recent.mayHaveMissed(['1 user eve'], NOW + REMEMBERED_MS)).toBe(false)
  }
})

it('who has heard of changes for less than ten seconds cannot know', () => {
  const recent = new RecentChanges(NOW)
  expect(recent.mayHaveMissed(['1 user ada'], NOW + REMEMBERED_MS - 1)).toBe(true)
  expect(recent.mayHaveMissed(['1 user ada'], NOW + REMEMBERED_MS)).toBe(false)
})

it('forgets what is older than that, also when nothing more is told', () => {
  const recent = new RecentChanges(NOW - REMEMBERED_MS)
  recent.note(some('1 user ada'), NOW)
  recent.forget(NOW + REMEMBERED_MS)
  // A clock that showed the same time again would find it.
  expect(recent.mayHaveMissed(['1 user ada'], NOW)).toBe(false)
})
