import { weekdays } from '../../contract/conditions/condition.ts'
import { MISSING, texts } from './attribute-parts.ts'
import type { ChipPart, SetLeaf } from './chip-part.ts'
import type { DraftLeaf } from './draft-leaf.ts'
import { instantWords } from './instants.ts'
import { listPart } from './other-parts.ts'

const HOW = [
  { value: 'after', label: 'is after' },
  { value: 'before', label: 'is before' },
  { value: 'between', label: 'is between' },
  { value: 'weekdays', label: 'is on' },
  { value: 'hours', label: 'is daily from' },
  { value: 'both', label: 'is on, from' },
]

const DAYS = { mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat', sun: 'Sun' } as const
const WORKDAYS = weekdays.slice(0, 5)

/** Between two instants; or on some weekdays, between two times of the day, in a zone. */
export function timeParts(leaf: DraftLeaf, set: SetLeaf): ChipPart[] {
  const how = howOf(leaf)
  const first = listPart('how', 'Operator', 'op', HOW, how, (next) => set(begun(next, leaf)))
  if (how === 'after' || how === 'before') return [first, instantPart(how, leaf, set)]
  if (how === 'between') return [first, instantPart('after', leaf, set), instantPart('before', leaf, set)]
  return [
    first,
    ...(how === 'hours' ? [] : [daysPart(leaf, set)]),
    ...(how === 'weekdays' ? [] : [hoursPart(leaf, set)]),
    zonePart(leaf, set),
  ]
}

function howOf({ after, before, weekdays: days, from }: DraftLeaf): string {
  if (after !== undefined || before !== undefined)
    return before === undefined ? 'after' : after === undefined ? 'before' : 'between'
  if (from === undefined) return 'weekdays'
  return days === undefined ? 'hours' : 'both'
}

/** The leaf with another operator: what fits it too stays. */
function begun(how: string, leaf: DraftLeaf): DraftLeaf {
  const today = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`
  const {
    after = today,
    before = today,
    weekdays: days = WORKDAYS,
    from = '09:00',
    to = '17:00',
    zone = ownZone(),
  } = leaf
  if (how === 'after') return { after }
  if (how === 'before') return { before }
  if (how === 'between') return { after, before }
  return { ...(how === 'hours' ? {} : { weekdays: days }), ...(how === 'weekdays' ? {} : { from, to }), zone }
}

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

function instantPart(key: 'after' | 'before', leaf: DraftLeaf, set: SetLeaf): ChipPart {
  const value = String(leaf[key] ?? '')
  const label = key === 'after' ? 'After' : 'Before'
  return {
    key,
    label,
    text: instantWords(value),
    kind: 'val',
    editor: { type: 'instant', value, set: (next) => set({ ...leaf, [key]: next }) },
  }
}

function daysPart(leaf: DraftLeaf, set: SetLeaf): ChipPart {
  const values = texts(leaf.weekdays)
  const text = weekdays
    .filter((day) => values.includes(day))
    .map((day) => DAYS[day])
    .join(', ')
  const choices = weekdays.map((value) => ({ value, label: DAYS[value] }))
  const editor = {
    type: 'several',
    values,
    choices,
    set: (days: string[]) => set({ ...leaf, weekdays: days }),
  } as const
  return { key: 'days', label: 'Weekdays', text: text || MISSING, kind: 'val', editor }
}

function hoursPart(leaf: DraftLeaf, set: SetLeaf): ChipPart {
  const values = [String(leaf.from ?? ''), String(leaf.to ?? '')] as const
  const editor = { type: 'hours', values, set: ([from, to]: string[]) => set({ ...leaf, from, to }) } as const
  return { key: 'hours', label: 'From and to', text: values.join(' to '), kind: 'val', editor }
}

function zonePart(leaf: DraftLeaf, set: SetLeaf): ChipPart {
  const zone = String(leaf.zone ?? '')
  const zones = [...new Set([zone, ownZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])].filter(Boolean)
  const choices = zones.map((value) => ({ value, label: value }))
  return listPart('zone', 'Time zone', 'op', choices, zone, (next) => set({ ...leaf, zone: next }))
}
