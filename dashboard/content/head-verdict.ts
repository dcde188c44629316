import { differencesOf } from '../../contract/content/differences.ts'
import { counted, percent } from '../format/number.ts'
import { LEAST_RUNS } from '../format/shares.ts'
import { missedWords } from '../targets/missed-words.ts'
import type { DraftState } from './draft-store.ts'
import type { ContentDetail } from './queries.ts'

export interface HeadVerdict {
  level: 'ok' | 'info' | 'bad' | 'none'
  words: string
  /** Where it can be seen. */
  to?: 'publish' | 'results'
}

/** The line under the name: the first that holds. */
export function headVerdict(
  detail: ContentDetail,
  { document, problems, state }: Pick<DraftState, 'document' | 'problems' | 'state'>,
): HeadVerdict {
  const { published, missed, seen, completed, guidance } = detail
  const live = published ? liveWords(published.number, guidance.is_off) : ''
  if (missed) return { level: 'bad', words: `${live}${missedWords(missed)}`, to: 'results' }
  if (problems.length > 0)
    return {
      level: 'bad',
      words: `${live}The draft cannot go live yet: ${counted(problems.length, 'problem')}.`,
      to: 'publish',
    }
  if (!published) return { level: 'none', words: 'Not published yet.' }
  if (state === 'changed') {
    const changes = differencesOf(published.document, document).length
    return { level: 'info', words: `${live}The draft differs from it: ${counted(changes, 'change')}.`, to: 'publish' }
  }
  const level = guidance.is_off ? 'info' : 'ok'
  if (seen === 0) return { level, words: `${live}Nobody has seen it yet.`, to: 'results' }
  const finished =
    seen >= LEAST_RUNS && (detail.type === 'flow' || detail.type === 'checklist')
      ? `, ${percent(completed, seen)} finish it`
      : ''
  return { level, words: `${live}${counted(seen, 'run')}${finished}.`, to: 'results' }
}

const liveWords = (number: number, isOff: boolean) =>
  isOff ? `Guidance is off: nobody sees version ${number}. ` : `Version ${number} is live. `
