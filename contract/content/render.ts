import type { Condition, ServerLeaf } from '../conditions/condition.ts'
import { durationMs } from '../conditions/duration.ts'
import { isBrowserLeaf } from '../conditions/kinds.ts'
import { playerOf } from './addresses.ts'
import type { Action, Advance, Block, Button, ContentDocument, Step, Target, Task } from './document.ts'
import { fillLine, fillMarkdown, fillPlain } from './markdown.ts'
import {
  CONTENT_FORMAT,
  type RenderedAdvance,
  type RenderedBlock,
  type RenderedButton,
  type RenderedCondition,
  type RenderedContent,
  type RenderedStep,
  type RenderedTarget,
  type RenderedTask,
} from './rendered.ts'
import { fillAddress, fillText, type TemplateValues } from './templates.ts'
import type { ThemeDocument } from './theme.ts'

/** What is handed out, and for whom. */
export interface Rendering {
  id: string
  versionId: string
  document: ContentDocument
  theme: ThemeDocument
  values: TemplateValues
  /** Decides a leaf that only the server can. */
  outcome: (leaf: ServerLeaf) => boolean | null
  /** The id of a step, a question or a task of this version, by its key. */
  idOf: (kind: 'step' | 'question' | 'task', key: string) => string
  /** The keys of the completed tasks of a checklist. */
  completedTasks?: ReadonlySet<string>
}

/** The form of a document that is shown: Markdown is parsed, templates are filled, what only the server may know is left out. */
export function render(rendering: Rendering): RenderedContent {
  return new Renderer(rendering).render()
}

/** The outcomes of the server leaves of a document, in the order of their numbers in its rendered form. */
export function serverLeavesOf(document: ContentDocument): ServerLeaf[] {
  const leaves: ServerLeaf[] = []
  for (const condition of conditionsOf(document)) numbered(condition, (leaf) => leaves.push(leaf) - 1)
  return leaves
}

/** Finds the outcome of a leaf of such a list; null when it is not known. */
export function outcomesByLeaf(
  leaves: readonly ServerLeaf[],
  outcomes: readonly (boolean | null)[],
): (leaf: unknown) => boolean | null {
  const found = new Map<unknown, boolean | null>(leaves.map((leaf, index) => [leaf, outcomes[index] ?? null]))
  return (leaf) => found.get(leaf) ?? null
}

/** The conditions inside of a document, in the order in which they are rendered. Not its *who* and *where*. */
export function conditionsOf(document: ContentDocument): Condition[] {
  if (document.type === 'checklist') return document.tasks.flatMap(taskConditions)
  return document.type === 'flow' ? document.steps.flatMap(stepConditions) : []
}

const taskConditions = ({ complete_when, visible_when }: Task) => present(complete_when, visible_when)

function stepConditions(step: Step): Condition[] {
  const ways = (step.advance ?? []).flatMap((way) => (way.on === 'condition' ? [way.condition] : []))
  return present(...ways, step.type === 'hidden' ? step.wait_until : undefined)
}

const present = (...conditions: (Condition | undefined)[]) => conditions.filter((one) => one !== undefined)

function numbered(condition: Condition, numberOf: (leaf: ServerLeaf) => number): RenderedCondition {
  if ('all' in condition) return { all: condition.all.map((one) => numbered(one, numberOf)) }
  if ('any' in condition) return { any: condition.any.map((one) => numbered(one, numberOf)) }
  if ('not' in condition) return { not: numbered(condition.not, numberOf) }
  return isBrowserLeaf(condition) ? condition : { server: numberOf(condition as ServerLeaf) }
}

class Renderer {
  readonly #given: Rendering
  readonly #outcomes: (boolean | null)[] = []

  constructor(given: Rendering) {
    this.#given = given
  }

  render(): RenderedContent {
    const { id, versionId, document, theme } = this.#given
    const { key, name } = document
    const common = { format: CONTENT_FORMAT, id, key, name, version_id: versionId, theme } as const
    const parts = this.#parts(document)
    return { ...common, ...parts, outcomes: this.#outcomes } as RenderedContent
  }

  #parts(document: ContentDocument) {
    const { type } = document
    switch (document.type) {
      case 'flow':
        return { type, steps: document.steps.map((step) => this.#step(step)) }
      case 'checklist': {
        const { text, tasks, position = 'bottom_right', starts_open = false, dismissible = true } = document
        const rendered = { tasks: tasks.map((task) => this.#task(task)), position, starts_open, dismissible }
        return { type, text: this.#markdown(text), ...rendered }
      }
      case 'banner': {
        const { position = 'top', dismissible = true } = document
        return { type, ...this.#face(document), position, dismissible }
      }
      case 'launcher': {
        const { target, look = 'beacon', label, dismissible = false } = document
        const shown = { label: fillText(label, this.#given.values), do: this.#actions(document.do), dismissible }
        return { type, target: renderTarget(target), look, ...shown }
      }
    }
  }

  #step(step: Step): RenderedStep {
    const { key, type, timeout } = step
    const advance = (step.advance ?? []).map((way) => this.#advance(way))
    return {
      id: this.#given.idOf('step', key),
      key,
      type,
      target: step.type === 'tooltip' ? renderTarget(step.target) : null,
      ...(step.type === 'hidden' ? { blocks: [], buttons: [] } : this.#face(step)),
      advance,
      wait_until: step.type === 'hidden' ? this.#condition(step.wait_until) : null,
      timeout: timeout ? { after_ms: durationMs(timeout.after), to: timeout.to } : null,
      closable: step.type !== 'hidden' && (step.closable ?? true),
    }
  }

  #face({ blocks, buttons = [] }: { blocks: readonly Block[]; buttons?: readonly Button[] }) {
    return { blocks: blocks.map((block) => this.#block(block)), buttons: buttons.map((button) => this.#button(button)) }
  }

  #task(task: Task): RenderedTask {
    const { key, name, text, button, complete_when, visible_when } = task
    const { values, idOf, completedTasks } = this.#given
    return {
      id: idOf('task', key),
      key,
      name: fillPlain(name, values),
      text: this.#markdown(text),
      button: button === undefined ? null : fillPlain(button, values),
      do: this.#actions(task.do ?? []),
      complete_when: this.#condition(complete_when),
      visible_when: this.#condition(visible_when),
      completed: completedTasks?.has(key) ?? false,
    }
  }

  #block(block: Block): RenderedBlock {
    const { values, idOf } = this.#given
    if ('heading' in block) return { heading: fillLine(block.heading, values) }
    if ('text' in block) return { text: fillMarkdown(block.text, values) }
    if ('video' in block) return { video: playerOf(block.video) ?? '', title: block.title }
    if ('question' in block)
      return { ...block, id: idOf('question', block.question), label: fillLine(block.label, values) }
    return block
  }

  #button({ label, style = 'secondary', do: actions }: Button): RenderedButton {
    return { label: fillPlain(label, this.#given.values), style, do: this.#actions(actions) }
  }

  #actions(actions: readonly Action[]): Action[] {
    return actions.map((action) =>
      'open' in action ? { ...action, open: fillAddress(action.open, this.#given.values) } : action,
    )
  }

  #advance({ to = undefined, end = undefined, ...way }: Advance): RenderedAdvance {
    const goal = { to: to ?? null, end: end ?? null }
    if (way.on !== 'condition') return { ...goal, on: way.on }
    return { ...goal, on: way.on, condition: this.#condition(way.condition) as RenderedCondition }
  }

  #markdown(text: string | undefined) {
    return text === undefined ? [] : fillMarkdown(text, this.#given.values)
  }

  #condition(condition: Condition | undefined): RenderedCondition | null {
    if (!condition) return null
    return numbered(condition, (leaf) => this.#outcomes.push(this.#given.outcome(leaf)) - 1)
  }
}

/** The time that a target is looked for unless the document says otherwise. */
export const TARGET_TIMEOUT_MS = 8_000

export function renderTarget({ locators, placement, timeout, on_missing }: Target): RenderedTarget {
  return {
    locators,
    placement: placement ?? 'auto',
    timeout_ms: timeout === undefined ? TARGET_TIMEOUT_MS : durationMs(timeout),
    on_missing: on_missing ?? 'wait',
  }
}
