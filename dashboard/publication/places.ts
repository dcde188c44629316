import type { ContentDocument } from '../../contract/content/document.ts'

/** Where a problem is: the tab, and the step or the task on it. */
export interface Place {
  tab: 'steps' | 'who'
  step?: string
  task?: string
}

const PART = /^(steps|tasks)\[(\d+)\]/

export function placeOf(document: ContentDocument, param: string): Place {
  const [, list, number] = PART.exec(param) ?? []
  if (list === 'steps' && document.type === 'flow') return { tab: 'steps', ...keyed('step', document.steps, number) }
  if (list === 'tasks' && document.type === 'checklist')
    return { tab: 'steps', ...keyed('task', document.tasks, number) }
  return { tab: /^(who|where|when|theme)\b/.test(param) ? 'who' : 'steps' }
}

function keyed(name: 'step' | 'task', parts: readonly { key: string }[], number: string | undefined) {
  const key = parts[Number(number)]?.key
  return key === undefined ? {} : { [name]: key }
}

/** `Step 3, way 2`, `Who`: where it is, in words. */
export function placeWords(document: ContentDocument, param: string): string {
  const [whole, list, number] = PART.exec(param) ?? []
  if (whole === undefined) return wordsOf(param) || (document.type === 'flow' ? 'The flow' : `The ${document.type}`)
  const part = `${list === 'steps' ? 'Step' : 'Task'} ${Number(number) + 1}`
  const inner = param.slice(whole.length + 1)
  const rest = [wordsOf(inner).toLowerCase(), fieldOf(inner)].filter(Boolean)
  return [part, ...rest].join(', ')
}

/** What is still missing where a list is empty, or nothing is chosen: the rule that it breaks is for whoever writes a file. */
const LACKING: Readonly<Record<string, string>> = {
  locators: 'has no element yet: pick one',
  do: 'does nothing yet: add an action',
  advance: 'leads nowhere yet: add a way',
  options: 'has no options yet: add one',
  steps: 'has no steps yet: add one',
  tasks: 'has no tasks yet: add one',
  start: 'starts nothing yet: choose content',
}

/** What a file or a log shows as code. */
const CODE = /`([^`]*)`/g

/** A problem as the page that can solve it says it. */
export function problemWords(param: string, message: string): string {
  const isLacking = message === 'must have at least 1 item' || message.startsWith('must be 1 to 64 characters')
  const name = param.slice(param.lastIndexOf('.') + 1)
  return (isLacking ? LACKING[name] : undefined) ?? message.replaceAll(CODE, '“$1”')
}

const NAMES: Readonly<Record<string, string>> = {
  advance: 'Way',
  buttons: 'Button',
  blocks: 'Block',
  target: 'Element',
  locators: 'locator',
  timeout: 'If it takes too long',
  wait_until: 'Waits until',
  complete_when: 'Done when',
  visible_when: 'Shown only to',
  who: 'Who',
  where: 'Where',
  when: 'When',
}

/** The field of a button or a block, as its inspector calls it. */
const FIELDS: Readonly<Record<string, string>> = {
  label: 'label',
  open: 'address',
  set: 'attribute',
  track: 'event',
  image: 'address',
  alt: 'description',
  video: 'address',
  title: 'title',
}

const fieldOf = (path: string): string | undefined => FIELDS[/\]\.(\w+)$/.exec(path)?.[1] ?? '']

function wordsOf(path: string): string {
  const [, name = '', number] = /^(\w+)(?:\[(\d+)\])?/.exec(path) ?? []
  const word = NAMES[name] ?? name.replaceAll('_', ' ')
  const shown = word.slice(0, 1).toUpperCase() + word.slice(1)
  if (number !== undefined) return `${shown} ${Number(number) + 1}`
  return name.endsWith('s') && name in NAMES ? `${shown}s` : shown
}
