import { describe, expect, it } from 'vitest'
import { rangeOf } from './replay-range.ts'

const now = new Date('2026-11-12T14:00:00Z')
const local = (iso: string) => {
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

describe('the range of a replay', () => {
  it('ends now when it is one of those to choose from', () => {
    expect(rangeOf({ span: '3600000', since: '', until: '' }, now)).toEqual({
      since: '2026-11-12T13:00:00.000Z',
      until: now.toISOString(),
    })
  })

  it('is in local time when it is given, and ends now when its end is left empty', () => {
    const since = local('2026-11-12T10:00:00Z')
    expect(rangeOf({ span: 'own', since, until: local('2026-11-12T11:30:00Z') }, now)).toEqual({
      since: '2026-11-12T10:00:00.000Z',
      until: '2026-11-12T11:30:00.000Z',
    })
    expect(rangeOf({ span: 'own', since, until: '' }, now)).toMatchObject({ until: now.toISOString() })
  })

  it.each([
    ['', '', /begins/],
    [local('2026-11-12T10:00:00Z'), local('2026-11-12T09:00:00Z'), /before it ends/],
    [local('2026-11-12T15:00:00Z'), '', /before it ends/],
  ])('from %j to %j is refused', (since, until, problem) => {
    expect(rangeOf({ span: 'own', since, until }, now)).toEqual({ problem: expect.stringMatching(problem) })
  })
})
