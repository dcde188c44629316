import { count } from '../format/number.ts'
import type { Installation } from './queries.ts'

export type Verdict = { tone: 'mute' | 'bad' | 'warn' | 'ok'; title: string; sub: string }

const SILENT_MS = 15 * 60_000
const MOST_REFUSED = 0.05

/** The first that holds. */
export function verdictOf(
  { seen_at, signed, unsigned, wrong, anonymous, refused, identity }: Installation,
  now: number,
  since: string,
): Verdict {
  const all = signed + unsigned + wrong
  if (seen_at === null)
    return { tone: 'mute', title: 'Nothing is installed yet', sub: 'The first page that loads the script shows here.' }
  if (now - Date.parse(seen_at) > SILENT_MS)
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
    }
  if (wrong > 0)
    return {
      tone: 'bad',
      title: `${count(wrong)} of ${count(all)} signatures are wrong`,
      sub: 'They were made with another secret, or for another user.',
    }
  if (all === 0) return { tone: 'ok', title: `Pages are seen: ${since}`, sub: 'Nobody was identified since yesterday.' }
  if (unsigned > 0)
    return {
      tone: 'ok',
      title: `Pages are seen, ${share(signed, all)} of identifications signed`,
      sub: `${share(unsigned, all)} come without a signature. Sign them, then you can require signatures.`,
    }
  const required = identity === 'required' ? 'Signatures are required.' : 'You can require signatures.'
  return { tone: 'ok', title: 'Pages are seen, and all identifications are signed', sub: required }
}

const share = (part: number, all: number) => `${((100 * part) / all).toFixed(1).replace(/\.0$/, '')} %`

/** How the pages of an allowed origin identify their users since yesterday. */
export function originWords({ seen_at, signed, unsigned, wrong }: Installation['origins'][number]): string {
  const all = signed + unsigned + wrong
  if (seen_at === null) return 'not seen since yesterday'
  return all === 0 ? 'seen, nobody identified' : `${share(signed, all)} of ${count(all)} identifications signed`
}

/** Whether pages load a script that can show every form of content. */
export function scriptWords({ newest, older }: Installation['scripts'], version: string): string {
  const served = `${version} is served`
  if (newest + older === 0) return `${served}; no page since yesterday`
  if (older === 0) return `${served}; pages load the newest`
  return `${served}; ${share(older, newest + older)} of pages load an older one, which does not get newer content`
}
