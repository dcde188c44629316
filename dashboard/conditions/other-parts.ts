import { durationWords, isDuration } from '../../contract/conditions/duration.ts'
import { MISSING, texts } from './attribute-parts.ts'
import type { Catalogue } from './catalogue.ts'
import type { ChipPart, Choice, Editor, SetLeaf } from './chip-part.ts'
import type { DraftLeaf } from './tree.ts'

/** A button that opens a list. */
export function listPart(
  key: string,
  label: string,
  kind: ChipPart['kind'],
  choices: readonly Choice[],
  chosen: string | undefined,
  set: (value: string) => ReturnType<SetLeaf>,
): ChipPart {
  const text = choices.find(({ value }) => value === chosen)?.label ?? (chosen || MISSING)
  return { key, label, kind, text, editor: { type: 'list', choices, chosen, set } }
}

const IN = [
  { value: 'in', label: 'is' },
  { value: 'not_in', label: 'is not' },
]

export function segmentParts(leaf: DraftLeaf, { segments }: Catalogue, set: SetLeaf): ChipPart[] {
  const choices = segments.map(({ key, name }) => ({ value: key, label: name, note: key }))
  return [
    listPart('is', 'Operator', 'op', IN, String(leaf.is ?? 'in'), (is) => set({ ...leaf, is })),
    listPart('segment', 'Segment', 'val', choices, String(leaf.segment ?? ''), (segment) => set({ ...leaf, segment })),
  ]
}

const STATES = [
  { value: 'seen', label: 'has seen' },
  { value: 'not_seen', label: 'has not seen' },
  { value: 'completed', label: 'has completed' },
  { value: 'dismissed', label: 'has closed' },
  { value: 'active', label: 'is in the middle of' },
]

const WINDOWS = [
  { value: 'ever', label: 'ever' },
  { value: 'within', label: 'in the last' },
]

export function contentParts(leaf: DraftLeaf, { contents }: Catalogue, set: SetLeaf): ChipPart[] {
  const { within, ...rest } = leaf
  const choices = contents.map(({ key, name }) => ({ value: key, label: name, note: key }))
  const parts = [
    listPart('is', 'State', 'op', STATES, String(leaf.is ?? ''), (is) => set({ ...rest, is })),
    listPart('content', 'Content', 'val', choices, String(leaf.content ?? ''), (content) => set({ ...leaf, content })),
  ]
  if (leaf.is === 'active') return parts
  const chosen = within === undefined ? 'ever' : 'within'
  parts.push(
    listPart('window', 'In which time', 'op', WINDOWS, chosen, (value) =>
      set(value === 'ever' ? rest : { ...rest, within: '30d' }),
    ),
  )
  if (within !== undefined) parts.push(durationPart('within', String(within), (next) => set({ ...leaf, within: next })))
  return parts
}

export function durationPart(key: string, value: string, set: (value: string) => ReturnType<SetLeaf>): ChipPart {
  const text = isDuration(value) ? durationWords(value) : MISSING
  return { key, label: 'How long', kind: 'val', text, editor: { type: 'duration', value, set } }
}

const TIMES = [
  { value: 'after', label: 'is after' },
  { value: 'before', label: 'is before' },
  { value: 'weekdays', label: 'is on' },
]

/** `from`, `to` and a zone are kept; they are changed as JSON. */
export function timeParts(leaf: DraftLeaf, set: SetLeaf): ChipPart[] {
  const chosen = ['weekdays', 'after', 'before'].find((key) => leaf[key] !== undefined) ?? 'weekdays'
  const how = listPart('how', 'Operator', 'op', TIMES, chosen, (value) =>
    set(
      value === 'weekdays'
        ? { weekdays: ['mon'], zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
        : { [value]: `${new Date().toISOString().slice(0, 10)}T00:00:00Z` },
    ),
  )
  const editor: Editor =
    chosen === 'weekdays'
      ? {
          type: 'texts',
          values: texts(leaf.weekdays),
          hint: 'mon, tue, wed, thu, fri, sat or sun',
          set: (weekdays) => set({ ...leaf, weekdays }),
        }
      : { type: 'instant', value: String(leaf[chosen] ?? ''), set: (value) => set({ ...leaf, [chosen]: value }) }
  const text = chosen === 'weekdays' ? texts(leaf.weekdays).join(', ') : String(leaf[chosen])
  return [how, { key: 'time', label: 'Time', kind: 'val', text: text || MISSING, editor }]
}
