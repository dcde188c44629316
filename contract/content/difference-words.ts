/** How values stand in a difference: short, and from where they differ. */

const MOST_CHARACTERS = 80
/** Of what two long values begin with alike, so much is shown. */
const BEFORE = 20

export function shown(value: unknown): string {
  return cut(textOf(value))
}

/** What it was, and what it is. */
export interface Pair {
  before: string
  after: string
}

/** Two long values that begin alike are shown from shortly before the place where they differ. */
export function shownPair(before: unknown, after: unknown): Pair {
  const [old, now] = [textOf(before), textOf(after)]
  let same = 0
  while (same < old.length && old[same] === now[same]) same++
  const from = old.length > MOST_CHARACTERS || now.length > MOST_CHARACTERS ? same - BEFORE : 0
  const part = (text: string) => cut(from > 0 ? `…${text.slice(from)}` : text)
  return { before: part(old), after: part(now) }
}

/** A text in quotes, `go_to "ask"` for a field, and `next` for one that is only true or not. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (!isFields(value)) return JSON.stringify(value)
  return Object.entries(value)
    .map(([name, one]) => (one === true ? name : `${name} ${textOf(one)}`))
    .join(', ')
}

const cut = (text: string) => (text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text)

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (item: unknown): item is Fields =>
  typeof item === 'object' && item !== null && !Array.isArray(item)

/** What a field is called in a place; nothing where its items say it by themselves. */
const NAMES: Readonly<Record<string, string>> = {
  advance: 'way',
  blocks: '',
  buttons: 'button',
  complete_when: 'done when',
  do: 'action',
  locators: '',
  target: 'element',
  visible_when: 'shown only to',
  wait_until: 'waits until',
}

/** `step open, button`: a field of a place. */
export function placeOf(place: string, field: string): string {
  return [place, NAMES[field] ?? field].filter((part) => part !== '').join(', ')
}

/** `step open, button "Next"`, `step open, heading`: an item of a field. */
export function itemPlace(place: string, field: string, item: unknown): string {
  const name = itemName(item)
  if (name === '') return placeOf(place, field)
  return NAMES[field] === '' ? `${place}, ${name}` : `${placeOf(place, field)} ${name}`
}

/** What an item of a list is: `heading`, `question ease`, `"Next"` for a button; nothing for a text. */
export function itemName(item: unknown): string {
  if (!isFields(item)) return ''
  if (typeof item.question === 'string') return `question ${item.question}`
  if (typeof item.label === 'string') return JSON.stringify(item.label)
  if (typeof item.on === 'string') return item.on
  return Object.keys(item)[0] ?? ''
}

/** Without the field that names it, where there is no other. */
export function itemValue(item: unknown): unknown {
  if (!isFields(item)) return item
  const names = Object.keys(item)
  return names.length === 1 ? item[names[0] as string] : item
}
