import { durationWords, isDuration } from '../../contract/conditions/duration.ts'
import { comparisonParts, MISSING } from './attribute-parts.ts'
import { type Catalogue, typeOf } from './catalogue.ts'
import type { ChipPart, SetLeaf } from './chip-part.ts'
import type { DraftLeaf } from './draft-leaf.ts'
import { instantWords } from './instants.ts'

const COUNTS = [
  { value: 'at_least', label: 'at least' },
  { value: 'at_most', label: 'at most' },
  { value: 'exactly', label: 'exactly' },
  { value: 'never', label: 'never' },
]

const WINDOWS = [
  { value: 'within', label: 'in the last' },
  { value: 'since', label: 'since' },
  { value: 'created_at', label: 'since they were created' },
  { value: 'ever', label: 'ever' },
]

/** How often, in which time, and with which attributes an event happened. */
export function eventParts(leaf: DraftLeaf, catalogue: Catalogue, set: SetLeaf): ChipPart[] {
  return [...countParts(leaf, set), ...windowParts(leaf, set), ...whereParts(leaf, catalogue, set)]
}

function countParts(leaf: DraftLeaf, set: SetLeaf): ChipPart[] {
  const { at_least, at_most, exactly, ...rest } = leaf
  const chosen =
    exactly !== undefined ? 'exactly' : at_most === undefined ? 'at_least' : at_most === 0 ? 'never' : 'at_most'
  const times = Number(exactly ?? at_most ?? at_least ?? 1)
  const choose = (value: string) => {
    if (value === 'never') return set({ ...rest, at_most: 0 })
    return set({ ...rest, [value]: Math.max(1, times) })
  }
  const how: ChipPart = {
    key: 'count',
    label: 'How often',
    text: COUNTS.find(({ value }) => value === chosen)?.label ?? MISSING,
    kind: 'op',
    editor: { type: 'list', choices: COUNTS, chosen, set: choose },
  }
  if (chosen === 'never') return [how]
  const editor = {
    type: 'number',
    value: times,
    unit: 'times',
    set: (value: number) => set({ ...rest, [chosen]: value }),
  } as const
  return [how, { key: 'times', label: 'Times', text: times === 1 ? '1 time' : `${times} times`, kind: 'val', editor }]
}

function windowParts(leaf: DraftLeaf, set: SetLeaf): ChipPart[] {
  const { within, since, ...rest } = leaf
  const chosen = windowOf(leaf)
  const choose = (value: string) => {
    if (value === 'within') return set({ ...rest, within: '7d' })
    if (value === 'since') return set({ ...rest, since: `${new Date().toISOString().slice(0, 10)}T00:00:00Z` })
    return set(value === 'created_at' ? { ...rest, since: 'created_at' } : rest)
  }
  const window: ChipPart = {
    key: 'window',
    label: 'In which time',
    text: WINDOWS.find(({ value }) => value === chosen)?.label ?? MISSING,
    kind: 'op',
    editor: { type: 'list', choices: WINDOWS, chosen, set: choose },
  }
  if (chosen === 'within') {
    const text = isDuration(String(within)) ? durationWords(String(within)) : MISSING
    const editor = {
      type: 'duration',
      value: String(within),
      set: (next: string) => set({ ...leaf, within: next }),
    } as const
    const { within: _, ...without } = leaf
    // A file may have both: the second window stands behind the first, and is changed like one of its own.
    const second = since === undefined ? [] : windowParts(without, (next) => set({ ...next, within }))
    return [window, { key: 'within', label: 'How long', text, kind: 'val', editor }, ...second.map(asSecond)]
  }
  if (chosen !== 'since') return [window]
  const editor = {
    type: 'instant',
    value: String(since),
    set: (next: string) => set({ ...rest, since: next }),
  } as const
  return [window, { key: 'since', label: 'Since when', text: instantWords(String(since)), kind: 'val', editor }]
}

const asSecond = (part: ChipPart): ChipPart => ({ ...part, key: `second ${part.key}` })

function windowOf({ within, since }: DraftLeaf): string {
  if (within !== undefined) return 'within'
  if (since === undefined) return 'ever'
  return since === 'created_at' ? 'created_at' : 'since'
}

/** `with project is …`, once for each attribute, and a button that adds one or removes it. */
function whereParts(leaf: DraftLeaf, catalogue: Catalogue, set: SetLeaf): ChipPart[] {
  const where = (leaf.where ?? []) as DraftLeaf[]
  const put = (next: DraftLeaf[]) => {
    const { where: _, ...rest } = leaf
    return set(next.length === 0 ? rest : { ...leaf, where: next })
  }
  const named = catalogue.attributes
    .filter(({ of }) => of === 'event')
    .map(({ name }) => ({ value: name, label: name }))
  const each = where.flatMap((one, index): ChipPart[] => {
    const name = String(one.attribute)
    const choose = (value: string) =>
      put(value === '' ? where.filter((_, at) => at !== index) : where.with(index, { attribute: value, is: 'equals' }))
    const choices = [...named, { value: '', label: 'Remove' }]
    const source = { of: 'event', name, event: String(leaf.event) } as const
    const type = typeOf(catalogue, name, 'event')
    return [
      {
        key: `where ${index}`,
        label: 'With',
        text: `with ${name}`,
        kind: 'op',
        editor: { type: 'list', choices, chosen: name, set: choose },
      },
      ...comparisonParts(one, type, source, (next) => put(where.with(index, next)), `where ${index} `),
    ]
  })
  if (named.length === 0) return each
  const add = (value: string) => put([...where, { attribute: value, is: 'equals' }])
  return [
    ...each,
    {
      key: 'with',
      label: 'Add an attribute of the event',
      text: '+ with',
      kind: 'op',
      editor: { type: 'list', choices: named, chosen: undefined, set: add },
    },
  ]
}
