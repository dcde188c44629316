import type { Catalogue } from './catalogue.ts'
import { glyphOf } from './chip.ts'
import type { Choice, Subject } from './chip-part.ts'
import type { DraftLeaf } from './draft-leaf.ts'
import type { BuilderPlace } from './place.ts'

export interface SubjectChoice extends Choice {
  group: string
  subject: Pick<Subject, 'glyph'>
}

const OFS = [
  { of: 'user', title: 'User' },
  { of: 'group', title: 'Group' },
  { of: 'membership', title: 'Membership' },
] as const

/** What a row can be about, by scope. The value says what the leaf begins with. */
export function subjectChoices(catalogue: Catalogue, place: BuilderPlace): SubjectChoice[] {
  if (place === 'page') return [...PAGE, ...serverChoices(catalogue, 'who')]
  return serverChoices(catalogue, place)
}

function serverChoices(catalogue: Catalogue, place: 'who' | 'group'): SubjectChoice[] {
  const scopes = OFS.filter(({ of }) => place === 'who' || of === 'group')
  const attributes = scopes.flatMap(({ of, title }) =>
    catalogue.attributes
      .filter((each) => each.of === of)
      .map(({ name, type }) => ({
        value: `attribute ${of} ${name}`,
        label: name,
        note: type,
        group: title,
        subject: { glyph: glyphOf(type) },
      })),
  )
  const events = catalogue.events.flatMap((name) => eventChoices(name, place))
  return [...attributes, ...events, ...others(catalogue, place), ...(place === 'who' ? answers(catalogue) : [])]
}

function eventChoices(name: string, place: 'who' | 'group'): SubjectChoice[] {
  const subject = { glyph: { icon: 'events' } } as const
  const own = { value: `event user ${name}`, label: name, group: 'Event', subject }
  const ofGroup = {
    value: `event group ${name}`,
    label: name,
    note: 'of the group',
    group: 'Event of the group',
    subject,
  }
  return place === 'group' ? [ofGroup] : [own, ofGroup]
}

function others(catalogue: Catalogue, place: 'who' | 'group'): SubjectChoice[] {
  const all: (SubjectChoice & { is: boolean })[] = [
    {
      value: 'segment',
      label: 'Segment',
      group: 'Other',
      subject: { glyph: { icon: 'segments' } },
      is: catalogue.segments.length > 0,
    },
    {
      value: 'content',
      label: 'Content',
      group: 'Other',
      subject: { glyph: { icon: 'content' } },
      is: place === 'who' && catalogue.contents.length > 0,
    },
    { value: 'time', label: 'Time', group: 'Other', subject: { glyph: { icon: 'clock' } }, is: true },
  ]
  return all.filter(({ is }) => is)
}

/** The newest answer of the user to a question. */
function answers({ contents }: Catalogue): SubjectChoice[] {
  return contents.flatMap(({ key, name, questions }) =>
    questions.map((question) => ({
      value: `answer ${key} ${question.key}`,
      label: question.key,
      note: `${name}: ${question.label}`,
      group: 'Answer',
      subject: { glyph: { icon: 'ask' } } as const,
    })),
  )
}

const PAGE: SubjectChoice[] = [
  { value: 'url', label: 'Page', group: 'In the browser', subject: { glyph: { icon: 'page' } } },
  { value: 'element', label: 'Element', group: 'In the browser', subject: { glyph: { icon: 'target' } } },
  { value: 'input', label: 'Field', group: 'In the browser', subject: { glyph: { icon: 'pencil' } } },
  { value: 'viewport', label: 'Window', group: 'In the browser', subject: { glyph: { icon: 'screen' } } },
  { value: 'locale', label: 'Language', group: 'In the browser', subject: { glyph: { icon: 'book' } } },
]

const BEGUN: Record<string, () => DraftLeaf> = {
  segment: () => ({ segment: '', is: 'in' }),
  content: () => ({ content: '', is: 'completed' }),
  time: () => ({ after: `${new Date().toISOString().slice(0, 10)}T00:00:00Z` }),
  url: () => ({ url: '' }),
  element: () => ({ element: [], is: 'visible' }),
  input: () => ({ input: [], is: 'filled' }),
  viewport: () => ({ viewport: { at_least: 720 } }),
  locale: () => ({ locale: [] }),
}

/** The leaf that a choice begins. */
export function leafOfSubject(value: string, place: BuilderPlace): DraftLeaf {
  const begun = BEGUN[value]
  if (begun) return begun()
  const [kind = '', of = '', ...name] = value.split(' ')
  if (kind === 'answer') return { answer: of, question: name.join(' ') }
  if (kind === 'event')
    return {
      event: name.join(' '),
      at_least: 1,
      within: '30d',
      ...(of === 'group' || place === 'group' ? { by: 'group' } : {}),
    }
  return { attribute: name.join(' '), ...(of === 'user' ? {} : { of }) }
}
