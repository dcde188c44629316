import { duration } from '../format/duration.ts'
import { count, counted } from '../format/number.ts'
import { activity } from '../format/time.ts'
import type { VerdictLevel } from '../parts/verdict-icon.tsx'
import type { Installation } from './queries.ts'

/** `isInLive`: Live shows those that it is about. */
export type Verdict = { tone: VerdictLevel; title: string; sub: string; isInLive?: boolean }

const SILENT_MS = 15 * 60_000
const MOST_REFUSED = 0.05

/** The first that holds. */
export function verdictOf(
  { seen_at, signed, unsigned, wrong, anonymous, refused, identity, tokens, origins }: Installation,
  now: Date,
  since: string,
): Verdict {
  const all = signed + unsigned + wrong
  if (seen_at === null)
    return { tone: 'mute', title: 'Nothing is installed yet', sub: 'The first page that loads the script shows here.' }
  const seen = `${lastUsed(tokens)}: seen ${activity(new Date(seen_at), now)}`
  if (now.getTime() - Date.parse(seen_at) > SILENT_MS)
    return {
      tone: 'bad',
      title: `No page was seen since ${since}`,
      sub: 'Check that the script still loads, and the allowed origins.',
    }
  if (refused > MOST_REFUSED * (refused + all + anonymous))
    return {
      tone: 'warn',
      title: `${share(refused, refused + all + anonymous)} of requests come from origins that are not allowed`,
      sub: 'If they are yours, allow them.',
      isInLive: true,
    }
  if (wrong > 0)
    return {
      tone: 'bad',
      title: `${count(wrong)} of ${count(all)} signatures are wrong`,
      sub: 'They were made with another secret, or for another user.',
      isInLive: true,
    }
  if (all === 0) return { tone: 'ok', title: seen, sub: 'Nobody was identified since yesterday.' }
  if (unsigned > 0)
    return {
      tone: 'ok',
      title: `${seen}, ${share(signed, all)} of identifications signed`,
      sub: `${share(unsigned, all)} come without a signature${fromWhere(origins, unsigned)}. Sign them, then you can require signatures.`,
      isInLive: true,
    }
  const required = identity === 'required' ? 'Signatures are required.' : 'You can require signatures.'
  return { tone: 'ok', title: `${seen}, all identifications signed`, sub: required }
}

/** The name of the token that was seen last. */
function lastUsed(tokens: Installation['tokens']): string {
  const [last] = [...tokens].sort((one, other) => (other.last_used_at ?? '').localeCompare(one.last_used_at ?? ''))
  return last?.name || 'Pages'
}

/** The one origin that they all come from. */
function fromWhere(origins: Installation['origins'], unsigned: number): string {
  const only = origins.find((origin) => origin.unsigned === unsigned)
  return only && origins.length > 1 ? `, all from ${only.origin}` : ''
}

const share = (part: number, all: number) => `${((100 * part) / all).toFixed(1).replace(/\.0$/, '')} %`

/** How the pages of an allowed origin identify their users since yesterday. */
export function originWords({ seen_at, signed, unsigned, wrong }: Installation['origins'][number]): string {
  const all = signed + unsigned + wrong
  if (seen_at === null) return 'not seen since yesterday'
  return all === 0 ? 'seen, nobody identified' : `${share(signed, all)} of ${count(all)} identifications signed`
}

/** Which scripts pages load, and whether those can show every form of content. */
export function scriptWords({
  versions,
  scripts: { newest, older },
  script_version: served,
}: Pick<Installation, 'versions' | 'scripts' | 'script_version'>): string {
  const limits = older > 0 ? `; ${share(older, newest + older)} of pages load one that does not get newer content` : ''
  if (versions.length === 0) return `${served} is served; no page since yesterday${limits}`
  if (versions.length === 1 && versions[0]?.version === served) return `${served}, the newest${limits}`
  return `${versionWords(versions)}; ${served} is served${limits}`
}

const versionWords = (versions: Installation['versions']) => {
  const all = versions.reduce((sum, one) => sum + one.count, 0)
  const name = (version: string) => version || 'an unknown version'
  if (versions.length === 1) return name(versions[0]?.version ?? '')
  return versions.map(({ version, count: pages }) => `${name(version)} on ${share(pages, all)}`).join(', ')
}

/** In which time the server has answered. */
export function answerWords(answers: Installation['answers']): string {
  if (!answers) return 'no call since yesterday'
  return `half within ${duration(answers.half_ms)}, 95 of 100 within ${duration(answers.most_ms)}`
}

export function errorWords({ caught, refused }: Installation['errors']): string {
  if (caught + refused === 0) return 'none since yesterday'
  const parts = [
    caught > 0 && `${count(caught)} caught by the script`,
    refused > 0 && `${counted(refused, 'call', 'calls')} refused`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** The script, the answers and the errors of one origin, on a line. */
export function healthWords({ versions, answers, errors }: Installation['origins'][number]): string {
  const failed = errors.caught + errors.refused
  return [
    versions.length > 0 && `script: ${versionWords(versions)}`,
    answers && `95 of 100 answers within ${duration(answers.most_ms)}`,
    failed > 0 && counted(failed, 'error', 'errors'),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Shape and colour of an origin, and the word for who does not see them. */
export function originState({ seen_at, signed, unsigned, wrong, errors }: Installation['origins'][number]) {
  if (seen_at === null) return { tone: 'mute', shape: 'dashed', word: 'Not seen' } as const
  if (wrong + errors.caught + errors.refused > 0 || (unsigned > 0 && signed === 0))
    return { tone: 'warn', shape: 'half', word: 'Look at it' } as const
  return { tone: 'ok', shape: 'full', word: 'Seen' } as const
}
