import { durationWords, isDuration } from '../../contract/conditions/duration.ts'
import { MISSING } from './attribute-parts.ts'
import type { Catalogue } from './catalogue.ts'
import type { ChipPart, Choice, SetLeaf } from './chip-part.ts'
import type { DraftLeaf } from './draft-leaf.ts'

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

function durationPart(key: string, value: string, set: (value: string) => ReturnType<SetLeaf>): ChipPart {
  const text = isDuration(value) ? durationWords(value) : MISSING
  return { key, label: 'How long', kind: 'val', text, editor: { type: 'duration', value, set } }
}
