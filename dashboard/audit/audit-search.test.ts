import { expect, it } from 'vitest'
import { askedOf, readAuditSearch } from './audit-search.ts'

it('asks for one actor by id, and for the command line and all keys by kind', () => {
  expect(askedOf({ who: '01a1e30c' })).toEqual({ actor_id: '01a1e30c' })
  expect(askedOf({ who: '7' })).toEqual({ actor_id: '7' })
  expect(askedOf({ who: 'key' })).toEqual({ actor_kind: 'key' })
  expect(askedOf({ who: 'command' })).toEqual({ actor_kind: 'command' })
})

it('asks for all filters at once, and not for the entry that is open', () => {
  const now = Date.parse('2026-03-04T12:34:56Z')
  expect(askedOf({ action: 'key.revoked', on: '7', in: 'staging', range: '24h', open: 'x' }, now)).toEqual({
    action: 'key.revoked',
    target_id: '7',
    environment: 'staging',
    since: '2026-03-03T12:00:00.000Z',
  })
})

it('drops what is empty or not known', () => {
  expect(readAuditSearch({ who: '7', on: '', range: 'forever', other: 'x' })).toEqual({ who: '7' })
})
