import { describe, expect, it } from 'vitest'
import type { EndpointSummary } from '../../../contract/dashboard/webhooks.ts'
import { type VerdictInput, verdictOf } from './verdict.ts'

const now = Date.parse('2026-11-12T14:31:00Z')
const well: VerdictInput = {
  now,
  hasData: true,
  lastRequestAt: '2026-11-12T14:30:59.000Z',
  total: 1_000,
  rateLimited: 0,
  rejected: 0,
  topRejection: undefined,
  endpoints: [],
  finding: undefined,
}

const failing = (failing_since: string) =>
  ({
    id: failing_since,
    url: 'https://example.com',
    disabled: false,
    health: { state: 'failing', failing_since, last_status: 503, waiting: { count: 312, is_more: false } },
  }) as EndpointSummary

describe('the verdict of Home', () => {
  it.each([
    ['well', 'ok', {}],
    ['empty', 'ok', { hasData: false, lastRequestAt: null, total: 0 }],
    ['silent', 'bad', { lastRequestAt: '2026-11-12T14:15:59.000Z', total: 0, rateLimited: 1 }],
    ['well', 'ok', { lastRequestAt: '2026-11-12T14:16:00.000Z', total: 0 }],
    ['well', 'ok', { rejected: 50 }],
    ['rejected', 'warn', { rejected: 51, rateLimited: 9 }],
    ['rejected', 'bad', { rejected: 501 }],
    ['rate_limited', 'warn', { rateLimited: 1, endpoints: [failing('2026-11-12T14:18:00.000Z')] }],
    ['endpoint_failing', 'warn', { endpoints: [failing('2026-11-12T14:18:00.000Z')], finding: 'disk' }],
    ['system', 'warn', { finding: 'The disk is nearly full.' }],
  ] as const)('is %s (%s)', (kind, level, input) => {
    expect(verdictOf({ ...well, ...input } as VerdictInput)).toMatchObject({ kind, level })
  })

  it('names the endpoint that has failed the longest', () => {
    const endpoints = [failing('2026-11-12T14:20:00.000Z'), failing('2026-11-12T14:18:00.000Z')]
    expect(verdictOf({ ...well, endpoints })).toMatchObject({
      endpoint_id: '2026-11-12T14:18:00.000Z',
      other_endpoints: 1,
    })
  })
})
