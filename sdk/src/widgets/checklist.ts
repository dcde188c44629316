import type { RenderedChecklist, RenderedTask } from '../../../contract/content/rendered.ts'
import { checklistStyles } from './checklist-styles.ts'
import { drawing, element, icon } from './element.ts'
import type { Surroundings, Widget, WidgetHost } from './host.ts'
import { Layer } from './layer.ts'
import { inlines, paragraphs } from './text.ts'

/** Our own words. They are not beside those of steps, which the first tooltip loads. */
const words = {
  collapse: 'Collapse',
  hide: 'Hide',
  done: (count: number, of: number) => `${count} of ${of} done`,
  count: (count: number, of: number) => `${count} of ${of}`,
  taskDone: 'done',
}
const CHECK = 'M3 8.5L6.5 12 13 4.5'
const DOWN = 'M4 6l4 4 4-4'
const NEXT = 'M6 4l4 4-4 4'

/** Which tasks a checklist shows now, and which of them are done. */
export interface ChecklistState {
  tasks: readonly RenderedTask[]
  done: ReadonlySet<string>
  isOpen: boolean
}

export type ChecklistWidget = Widget & { update(state: ChecklistState): void }

/** A list in the corner. Collapsed it is a pill that shows how far the user is. */
export function showChecklist(
  content: RenderedChecklist,
  state: ChecklistState,
  host: WidgetHost,
  around: Surroundings,
): ChecklistWidget {
  const layer = new Layer(content.theme, [checklistStyles], around.baseZIndex)
  let now = state
  /** The task whose text is shown. */
  let opened: string | null = firstOpen(state)
  let isFirst = true
  const toggle = (isOpen: boolean) => {
    now = { ...now, isOpen }
    host.toggled?.(isOpen)
    draw()
    layer.root.querySelector<HTMLElement>(isOpen ? '.x' : '.pill')?.focus({ preventScroll: true })
  }
  const use = (task: RenderedTask) => {
    host.task?.(task.key)
    if (task.do.length > 0) host.act(task.do)
  }
  // The click on a task that has a button is that on its button.
  const choose = (task: RenderedTask) => {
    opened = opened === task.key ? null : task.key
    if (!task.button) use(task)
    draw(task.key)
  }
  const draw = (focus?: string) => {
    const parts = now.isOpen
      ? list(content, now, opened, host, { toggle, choose, use })
      : pill(content, now, () => toggle(true))
    layer.root.replaceChildren(parts)
    const { count, of } = tally(now)
    layer.set('--done', `${of === 0 ? 100 : (100 * count) / of}%`)
    if (focus !== undefined)
      [...layer.root.querySelectorAll<HTMLElement>('button')]
        .find((one) => focus === (one.dataset.task ?? one.className))
        ?.focus({ preventScroll: true })
    isFirst = false
  }
  draw()
  layer.settle()
  return {
    host: layer.host,
    settle: () => layer.settle(),
    flush: () => {},
    remove: () => layer.remove(),
    update: (next) => {
      if (!isFirst && isSame(now, next)) return
      const focused = focusOf(layer.root)
      now = next
      if (opened && now.done.has(opened)) opened = firstOpen(now)
      draw(focused)
    },
  }
}

/** What has the focus, and is drawn anew: a task, also when it is in what the task shows, or a button by its class. */
function focusOf({ activeElement }: ShadowRoot): string | undefined {
  const task = activeElement?.closest('li')?.querySelector<HTMLElement>('[data-task]')
  return task?.dataset.task ?? activeElement?.className
}

interface Turns {
  toggle(isOpen: boolean): void
  choose(task: RenderedTask): void
  use(task: RenderedTask): void
}

function list(
  content: RenderedChecklist,
  state: ChecklistState,
  opened: string | null,
  host: WidgetHost,
  turns: Turns,
): HTMLElement {
  const { count, of } = tally(state)
  const name = element('h3', { id: 'usher-heading' }, content.name)
  const collapse = element(
    'button',
    { class: 'x', type: 'button', 'aria-label': words.collapse, 'aria-expanded': 'true' },
    icon(DOWN),
  )
  collapse.addEventListener('click', () => turns.toggle(false))
  const bar = element('div', { class: 'bar', role: 'img', 'aria-label': words.done(count, of) }, element('i'))
  const text = content.text.length > 0 ? paragraphs(content.text, host) : []
  const header = element(
    'header',
    {},
    collapse,
    name,
    element('p', {}, element('bdi', {}, words.done(count, of))),
    ...text,
    bar,
  )
  const tasks = element('ul', { class: 'tasks' }, ...state.tasks.map((task) => row(task, state, opened, host, turns)))
  const hide = element('button', { class: 'b quiet', type: 'button' }, words.hide)
  hide.addEventListener('click', () => host.close('close_button'))
  const side = content.position === 'bottom_left' ? ' left' : ''
  return element(
    'section',
    { class: `w cl${side}`, 'aria-labelledby': 'usher-heading' },
    header,
    tasks,
    content.dismissible && element('footer', {}, hide),
  )
}

function row(
  task: RenderedTask,
  state: ChecklistState,
  opened: string | null,
  host: WidgetHost,
  turns: Turns,
): HTMLElement {
  const isDone = state.done.has(task.key)
  const hasMore = task.text.length > 0 || task.button !== null
  const isOpen = hasMore && !isDone && opened === task.key
  const mark = element('span', { class: isDone ? 'ck y' : 'ck' }, isDone && icon(CHECK))
  const name = element(
    'span',
    {},
    ...inlines(task.name, host),
    isDone && element('span', { class: 'said' }, `, ${words.taskDone}`),
  )
  const expanded = hasMore && !isDone ? String(isOpen) : null
  const head = element(
    'button',
    { type: 'button', class: isDone ? 'done' : null, 'aria-expanded': expanded, 'data-task': task.key },
    mark,
    name,
    !isDone && icon(isOpen ? DOWN : NEXT),
  )
  head.addEventListener('click', () => turns.choose(task))
  return element('li', {}, head, isOpen && more(task, host, turns))
}

function more(task: RenderedTask, host: WidgetHost, turns: Turns): HTMLElement {
  const button = task.button && element('button', { class: 'b main', type: 'button' }, ...inlines(task.button, host))
  if (button) button.addEventListener('click', () => turns.use(task))
  return element('div', { class: 'more' }, ...paragraphs(task.text, host), button)
}

function pill(content: RenderedChecklist, state: ChecklistState, open: () => void): HTMLElement {
  const { count, of } = tally(state)
  const around = 2 * Math.PI * 10
  const circle = { cx: '13', cy: '13', r: '10' }
  const length = `${((of === 0 ? 1 : count / of) * around).toFixed(1)} ${around.toFixed(1)}`
  const ring = drawing(
    'svg',
    { viewBox: '0 0 26 26', 'aria-hidden': 'true' },
    drawing('circle', circle),
    drawing('circle', { ...circle, class: 'fg', 'stroke-dasharray': length, transform: 'rotate(-90 13 13)' }),
  )
  const side = content.position === 'bottom_left' ? ' left' : ''
  const made = element(
    'button',
    { class: `pill${side}`, type: 'button', 'aria-expanded': 'false' },
    ring,
    element('b', {}, content.name),
    ' ',
    element('bdi', {}, words.count(count, of)),
  )
  made.addEventListener('click', open)
  return made
}

function tally({ tasks, done }: ChecklistState): { count: number; of: number } {
  return { count: tasks.filter((task) => done.has(task.key)).length, of: tasks.length }
}

function firstOpen({ tasks, done }: ChecklistState): string | null {
  return tasks.find((task) => !done.has(task.key))?.key ?? null
}

function isSame(one: ChecklistState, other: ChecklistState): boolean {
  const text = ({ tasks, done, isOpen }: ChecklistState) =>
    JSON.stringify([tasks.map(({ key }) => key), [...done].sort(), isOpen])
  return text(one) === text(other)
}
