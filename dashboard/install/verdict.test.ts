import { expect, it } from 'vitest'
import type { Installation } from './queries.ts'
import { scriptWords, verdictOf } from './verdict.ts'

const now = Date.parse('2026-01-03T09:30:00Z')
const seen: Installation = {
  url: 'https://usher.example.com',
  tokens: [],
  origins: [],
  refused_origins: [],
  refused: 0,
  identity: 'report',
  secrets: [],
  seen_at: '2026-01-03T09:29:48Z',
  signed: 982,
  unsigned: 18,
  wrong: 0,
  anonymous: 0,
  days: { from: '2025-12-21T00:00:00Z', step_seconds: 86_400, values: [] },
  scripts: { newest: 1000, older: 0 },
  script_version: '1.4.0',
}

it.each<[string, Partial<Installation>, string, string]>([
  ['nothing yet', { seen_at: null }, 'mute', 'Nothing is installed yet'],
  ['silence', { seen_at: '2026-01-03T09:00:00Z' }, 'bad', 'No page was seen since then'],
  ['refused origins', { refused: 60 }, 'warn', '5.7 % of requests come from origins that are not allowed'],
  ['a few refused', { refused: 50 }, 'ok', 'Pages are seen, 98.2 % of identifications signed'],
  ['another secret', { wrong: 3 }, 'bad', '3 of 1,003 signatures are wrong'],
  ['some unsigned', {}, 'ok', 'Pages are seen, 98.2 % of identifications signed'],
  ['all signed', { unsigned: 0 }, 'ok', 'Pages are seen, and all identifications are signed'],
])('the verdict tells %s', (_, more, tone, title) => {
  expect(verdictOf({ ...seen, ...more }, now, 'then')).toMatchObject({ tone, title })
})

it('says whether pages load the newest script', () => {
  expect(scriptWords({ newest: 0, older: 0 }, '1.4.0')).toBe('1.4.0 is served; no page since yesterday')
  expect(scriptWords({ newest: 12, older: 0 }, '1.4.0')).toBe('1.4.0 is served; pages load the newest')
  expect(scriptWords({ newest: 98, older: 2 }, '1.4.0')).toMatch(/^1.4.0 is served; 2 % of pages load an older one/)
})
