import { expect, it } from 'vitest'
import type { Installation } from './queries.ts'
import {
  answerWords,
  costWords,
  errorWords,
  healthWords,
  originState,
  originWords,
  scriptWords,
  userWords,
  verdictOf,
} from './verdict.ts'

const now = new Date('2026-01-03T09:30:00Z')
const token = {
  id: 1,
  token: 'pk_1',
  name: 'Web app',
  created_at: '2026-01-01T00:00:00Z',
  last_used_at: null,
  ends_at: null,
}
const seen: Installation = {
  url: 'https://usher.example.com',
  tokens: [
    { ...token, name: 'Old app' },
    { ...token, last_used_at: '2026-01-03T09:29:48Z' },
  ],
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
  versions: [{ version: '1.4.0', count: 1000 }],
  answers: { count: 4000, half_ms: 25, most_ms: 50 },
  errors: { caught: 0, refused: 0 },
  lacking: { count: 18, is_exact: true },
  last_identified: null,
}

it.each<[string, Partial<Installation>, string, string]>([
  ['nothing yet', { seen_at: null }, 'mute', 'Nothing is installed yet'],
  ['silence', { seen_at: '2026-01-03T09:00:00Z' }, 'bad', 'No page was seen since then'],
  ['refused origins', { refused: 60 }, 'warn', '5.7\u2009% of requests come from origins that are not allowed'],
  ['a few refused', { refused: 50 }, 'ok', 'Web app: seen 12\u2009s ago, 98.2\u2009% of identifications signed'],
  ['another secret', { wrong: 3 }, 'bad', '3 of 1,003 identifications have a wrong signature'],
  ['some unsigned', {}, 'ok', 'Web app: seen 12\u2009s ago, 98.2\u2009% of identifications signed'],
  ['all signed', { unsigned: 0 }, 'ok', 'Web app: seen 12\u2009s ago, all identifications signed'],
])('the verdict tells %s', (_, more, tone, title) => {
  expect(verdictOf({ ...seen, ...more }, now, 'then')).toMatchObject({ tone, title })
})

const origin: Installation['origins'][number] = {
  ...{ origin: 'https://app.example.com', seen_at: seen.seen_at, signed: 0, unsigned: 18, wrong: 0, anonymous: 0 },
  ...{ people: { count: 12, is_exact: true }, versions: seen.versions, answers: seen.answers, errors: seen.errors },
}

it('names the only origin without signatures', () => {
  const origins = [origin, { ...origin, origin: 'https://other.example.com', unsigned: 0 }]
  expect(verdictOf({ ...seen, origins }, now, 'then').sub).toContain('all from https://app.example.com.')
  expect(verdictOf({ ...seen, origins: [origin] }, now, 'then').sub).not.toContain('all from')
})

it('says which scripts pages load', () => {
  const words = (versions: Installation['versions'], older = 0) =>
    scriptWords({ versions, scripts: { newest: 98, older }, script_version: '1.4.0' }).replaceAll('\u2009', ' ')
  const [newest, old] = [
    { version: '1.4.0', count: 98 },
    { version: '1.3.2', count: 2 },
  ] as const
  expect(words([])).toBe('1.4.0 is served; no page since yesterday')
  expect(words([newest])).toBe('1.4.0, the newest')
  expect(words([newest, old])).toBe('1.4.0 on 98.0 %, 1.3.2 on 2.0 %; 1.4.0 is served')
  expect(words([old])).toBe('1.3.2; 1.4.0 is served')
  expect(words([{ version: '', count: 2 }], 2)).toBe(
    'an unknown version; 1.4.0 is served; 2.0 % of pages load one that does not get newer content',
  )
})

it('says how it goes in pages, and marks the origins to look at', () => {
  const errors = { caught: 2, refused: 1 }
  expect(answerWords(null)).toBe('no call since yesterday')
  expect(answerWords(seen.answers).replaceAll('\u2009', ' ')).toBe('half within 25 ms, 95 of 100 within 50 ms')
  expect(errorWords(seen.errors)).toBe('none since yesterday')
  expect(errorWords(errors)).toBe('2 caught by the script, 1 call refused')
  expect(healthWords({ ...origin, errors }).replaceAll('\u2009', ' ')).toBe(
    'script: 1.4.0 · 95 of 100 answers within 50 ms · 3 errors',
  )
  expect(originState({ ...origin, seen_at: null }).tone).toBe('mute')
  expect(originState(origin).tone).toBe('warn')
  expect(originState({ ...origin, signed: 5 }).tone).toBe('ok')
  expect(originState({ ...origin, signed: 5, errors }).tone).toBe('warn')
})

it('counts users, not identifications, and says what requiring signatures would cost', () => {
  const words = (more: Partial<Installation>) => costWords({ ...seen, ...more })
  expect(originWords(origin).replaceAll('\u2009', ' ')).toBe('0 % signed · 12 users since yesterday')
  expect(userWords({ count: 1, is_exact: true })).toBe('1 user')
  expect(userWords({ count: 11_934, is_exact: false })).toBe('about 11,900 users')
  expect(words({})).toBe('If you switch it on now, 18 users like those since yesterday would be refused.')
  expect(words({ unsigned: 0 })).toBe('Nobody since yesterday would be refused.')
  expect(words({ lacking: { count: 0, is_exact: true }, wrong: 1 })).toContain('19 identifications like those')
  expect(words({ identity: 'required' })).toBe(
    'A page without a good signature is refused. Without one since yesterday: 18 users.',
  )
  expect(words({ identity: 'required', unsigned: 0 })).toBe('A page without a good signature is refused.')
})
