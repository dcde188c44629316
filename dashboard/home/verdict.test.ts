import { describe, expect, it } from 'vitest'
import type { HomeData } from './queries.ts'
import { verdictWords } from './verdict.ts'

const nothing: HomeData['verdict'] = {
  level: 'ok',
  kind: 'well',
  since: null,
  code: null,
  field: null,
  share: null,
  count: null,
  endpoint_id: null,
  endpoint_url: null,
  other_endpoints: null,
  status: null,
  waiting: null,
  finding: null,
}

describe('the verdict of Home', () => {
  it('reports that everything works', () => {
    expect(verdictWords(nothing).title).toBe('Everything arrives, and every delivery is up to date.')
  })

  it('names the failing endpoint, its answer and the waiting deliveries', () => {
    const words = verdictWords({
      ...nothing,
      kind: 'endpoint_failing',
      endpoint_url: 'https://billing.kestrel.example/hooks',
      status: 503,
      waiting: { count: 312, is_more: false },
      since: '2026-11-12T13:18:00Z',
    })
    expect(words.title).toBe('Requests arrive. One webhook endpoint is failing.')
    expect(words.sub).toContain('billing.kestrel.example has answered 503 since')
    expect(words.sub).toContain('312 deliveries wait for it')
  })

  it('speaks of one delivery as of one', () => {
    const words = verdictWords({ ...nothing, kind: 'endpoint_failing', waiting: { count: 1, is_more: false } })
    expect(words.sub).toContain(' 1 delivery waits for it and goes out by itself once it answers.')
  })

  it('says that more wait than were counted', () => {
    const words = verdictWords({ ...nothing, kind: 'endpoint_failing', waiting: { count: 1000, is_more: true } })
    expect(words.sub).toMatch(/ More than 1\D?000 deliveries wait for it/)
  })

  it('names the code and the field of rejected requests', () => {
    const words = verdictWords({
      ...nothing,
      kind: 'rejected',
      share: 0.125,
      code: 'invalid_params',
      field: 'attributes.seats',
    })
    expect(words.title).toContain('12.5')
    expect(words.sub).toContain('invalid_params about attributes.seats')
  })
})
