import { counted } from '../format/number.ts'
import { missedWords } from '../targets/missed-words.ts'
import type { ContentList } from './queries.ts'

export interface ListVerdict {
  level: 'ok' | 'warn' | 'bad'
  title: string
  sub: string
  /** The content that it is about. */
  contentId?: string
}

/** The first line of the list: whether all that is live works. */
export function listVerdict({ data, guidance }: Pick<ContentList, 'data' | 'guidance'>): ListVerdict {
  const live = data.filter(({ state }) => state !== 'draft')
  if (guidance.is_off)
    return {
      level: 'bad',
      title: 'Guidance is off. Nobody sees anything.',
      sub: `${counted(live.length, 'content is', 'contents are')} published and waiting.`,
    }
  const broken = live.filter(({ missed }) => missed !== null)
  const first = broken[0]
  if (first?.missed)
    return {
      level: 'warn',
      title: `${live.length} ${live.length === 1 ? 'is' : 'are'} live. ${broken.length === 1 ? 'One' : broken.length} cannot find ${broken.length === 1 ? 'its element' : 'their elements'}.`,
      sub: `${first.name}: ${lowerFirst(missedWords(first.missed))}`,
      contentId: first.id,
    }
  const drafts = data.length - live.length
  const changed = data.filter(({ state }) => state === 'changed').length
  const rest = [
    ...(changed > 0 ? [`${counted(changed, 'draft differs', 'drafts differ')} from what is live.`] : []),
    ...(drafts > 0 ? [`${counted(drafts, 'content is', 'contents are')} not published.`] : []),
  ]
  if (live.length === 0) return { level: 'warn', title: 'Nothing is live yet.', sub: rest.join(' ') }
  return {
    level: 'ok',
    title: `${live.length} ${live.length === 1 ? 'is' : 'are'} live, and ${live.length === 1 ? 'it works' : 'all work'}.`,
    sub: rest.join(' ') || 'Every draft is what users see.',
  }
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
