import { duration } from '../format/duration.ts'
import { count, counted, percent } from '../format/number.ts'
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
      title: `${percent(refused, refused + all + anonymous)} of requests come from origins that are not allowed`,
      sub: 'If they are yours, allow them.',
      isInLive: true,
    }
  if (wrong > 0)
    return {
      tone: 'bad',
      title: `${count(wrong)} of ${counted(all, 'identification')} ${wrong === 1 ? 'has' : 'have'} a wrong signature`,
      sub: 'A wrong one is made with another secret, or for another user.',
      isInLive: true,
    }
  if (all === 0) return { tone: 'ok', title: seen, sub: 'Nobody was identified since yesterday.' }
  if (unsigned > 0)
    return {
      tone: 'ok',
      title: `${seen}, ${percent(signed, all)} of identifications signed`,
      sub: `${percent(unsigned, all)} come without a signature${fromWhere(origins, unsigned)}. Sign them, then you can require signatures.`,
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

/** How the pages of an allowed origin identify their users since yesterday. */
export function originWords({ seen_at, signed, unsigned, wrong, people }: Installation['origins'][number]): string {
  const all = signed + unsigned + wrong
  if (seen_at === null) return 'not seen since yesterday'
  if (all === 0) return 'seen, nobody identified'
  const whose = people.count > 0 ? userWords(people) : counted(all, 'identification')
  return `${percent(signed, all)} signed · ${whose} since yesterday`
}

/** "214 users", or "about 11,900 users" where a sample tells. */
export function userWords({ count: users, is_exact }: Installation['lacking']): string {
  if (is_exact) return counted(users, 'user')
  const step = 10 ** Math.max(0, String(users).length - 3)
  return `about ${counted(Math.round(users / step) * step, 'user')}`
}

/** How the user of an identification was proved. */
export const proofWords = {
  signed: 'with a good signature',
  unsigned: 'without a signature',
  wrong: 'with a wrong signature',
} as const

/** What the switch does, or would do now. Ids that are not a user are told as identifications. */
export function costWords({ identity, lacking, unsigned, wrong }: Installation): string {
  const whose = lacking.count > 0 ? userWords(lacking) : counted(unsigned + wrong, 'identification')
  if (identity === 'required')
    return `A page without a good signature is refused.${unsigned + wrong === 0 ? '' : ` Without one since yesterday: ${whose}.`}`
  if (unsigned + wrong === 0) return 'Nobody since yesterday would be refused.'
  return `If you switch it on now, ${whose} like those since yesterday would be refused.`
}

/** Which scripts pages load, and whether those can show every form of content. */
export function scriptWords({
  versions,
  scripts: { newest, older },
  script_version: served,
}: Pick<Installation, 'versions' | 'scripts' | 'script_version'>): string {
  const limits =
    older > 0 ? `; ${percent(older, newest + older)} of pages load one that does not get newer content` : ''
  if (versions.length === 0) return `${served} is served; no page since yesterday${limits}`
  if (versions.length === 1 && versions[0]?.version === served) return `${served}, the newest${limits}`
  return `${versionWords(versions)}; ${served} is served${limits}`
}

const versionWords = (versions: Installation['versions']) => {
  const all = versions.reduce((sum, one) => sum + one.count, 0)
  const name = (version: string) => version || 'an unknown version'
  if (versions.length === 1) return name(versions[0]?.version ?? '')
  return versions.map(({ version, count: pages }) => `${name(version)} on ${percent(pages, all)}`).join(', ')
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
