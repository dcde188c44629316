import { counted, percent } from '../format/number.ts'
import { clock } from '../format/time.ts'
import { hostOf, waitingSentence } from '../webhooks/words.ts'
import type { HomeData } from './queries.ts'

type Verdict = HomeData['verdict']
export type Words = { title: string; sub: string; to?: 'live' | 'errors' | 'endpoint' | 'system' | 'usage' }

const at = (time: string | null) => (time ? clock(new Date(time)) : 'some time ago')

/** The first line of Home: the state, and what to do. */
export function verdictWords(verdict: Verdict): Words {
  return WORDS[verdict.kind](verdict)
}

const WORDS: Record<Verdict['kind'], (verdict: Verdict) => Words> = {
  empty: () => ({ title: 'Nothing has arrived yet.', sub: 'Send the first request.' }),
  silent: ({ since }) => ({
    title: 'No requests arrive.',
    sub: `The last one came at ${at(since)}. Look whether your back end runs and reaches this server.`,
    to: 'live',
  }),
  rejected: ({ share, code, field }) => ({
    title: `${percent(share ?? 0, 1)} of the requests are rejected.`,
    sub: `Most often with ${code ?? 'an error'}${field ? ` about ${field}` : ''}, in the last ten minutes.`,
    to: 'errors',
  }),
  rate_limited: ({ count: refused }) => ({
    title: 'Requests are rate limited.',
    sub: `${counted(refused ?? 0, 'request was', 'requests were')} refused in the last ten minutes. Send less at once, or take a larger plan.`,
    to: 'usage',
  }),
  endpoint_failing: (verdict) => ({
    title: `Requests arrive. ${failing(verdict)}`,
    sub: failingSub(verdict),
    to: 'endpoint',
  }),
  system: ({ finding }) => ({
    title: 'Requests arrive. The server needs attention.',
    sub: finding ?? '',
    to: 'system',
  }),
  well: () => ({ title: 'Everything arrives, and every delivery is up to date.', sub: 'Nothing has to be done.' }),
}

function failing({ other_endpoints: others }: Verdict): string {
  return others ? `${others + 1} webhook endpoints are failing.` : 'One webhook endpoint is failing.'
}

function failingSub({ endpoint_url, status, since, waiting }: Verdict): string {
  const host = endpoint_url ? hostOf(endpoint_url) : 'It'
  const what = status ? `has answered ${status}` : 'has not answered'
  const wait = waiting?.count ? ` ${waitingSentence(waiting)}` : ''
  return `${host} ${what} since ${at(since)}.${wait}`
}
