import type { EditAs } from '../../../contract/sdk/edit.ts'
import { element } from '../widgets/element.ts'

const MARKS = { lets: '✓', stops: '✕', page: '…' } as const

const markOf = (open: boolean | null) => (open === null ? MARKS.page : open ? MARKS.lets : MARKS.stops)

/** Why the user would see the draft or not, beside its preview: the reason, and every gate with its lines. */
export function receiptRow({ user, sentence, gates }: EditAs): HTMLElement {
  const rungs = gates.map(({ name, open, lines }) => {
    const asked = lines.map((line) => element('li', {}, `${markOf(line.met)} ${line.sentence}`))
    const mark = element('b', { class: open === false ? 'bad' : '' }, `${markOf(open)} ${name}`)
    const words = open === null ? ': the page decides' : open ? '' : ': stops it'
    return element('li', {}, mark, words, asked.length > 0 ? element('ul', {}, ...asked) : null)
  })
  const why = element('details', {}, element('summary', {}, 'Why, in full'), element('ol', {}, ...rungs))
  return element('div', { class: 'row receipt' }, element('b', {}, `As ${user}`), element('p', {}, `${sentence}.`), why)
}
