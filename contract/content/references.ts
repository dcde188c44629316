import type { Condition, Leaf } from '../conditions/condition.ts'
import { eachLeaf } from '../conditions/kinds.ts'
import type { Action, ContentDocument } from './document.ts'

/** Every condition of a document, with its path. */
export function placedConditions(document: ContentDocument): { condition: Condition; path: string }[] {
  const own = [
    { condition: document.who, path: 'who' },
    { condition: document.where, path: 'where' },
  ]
  if (document.type === 'checklist')
    for (const [index, { complete_when, visible_when }] of document.tasks.entries()) {
      own.push({ condition: complete_when, path: `tasks[${index}].complete_when` })
      own.push({ condition: visible_when, path: `tasks[${index}].visible_when` })
    }
  if (document.type === 'flow')
    for (const [index, step] of document.steps.entries()) {
      for (const [number, way] of (step.advance ?? []).entries())
        if (way.on === 'condition')
          own.push({ condition: way.condition, path: `steps[${index}].advance[${number}].condition` })
      if (step.type === 'hidden') own.push({ condition: step.wait_until, path: `steps[${index}].wait_until` })
    }
  return own.flatMap(({ condition, path }) => (condition ? [{ condition, path }] : []))
}

/** Every leaf of a document, with its path. */
export function placedLeaves(document: ContentDocument): { leaf: Leaf; path: string }[] {
  const found: { leaf: Leaf; path: string }[] = []
  for (const { condition, path } of placedConditions(document))
    eachLeaf<Leaf>(condition, (leaf, below) => found.push({ leaf, path: below === '' ? path : `${path}.${below}` }))
  return found
}

/** Every action of a document, with its path. */
export function placedActions(document: ContentDocument): { action: Action; path: string }[] {
  return actionLists(document).flatMap(({ actions, path }) =>
    actions.map((action, index) => ({ action, path: `${path}[${index}]` })),
  )
}

function actionLists(document: ContentDocument): { actions: readonly Action[]; path: string }[] {
  const ofButtons = (buttons: readonly { do: Action[] }[] | undefined, path: string) =>
    (buttons ?? []).map((button, index) => ({ actions: button.do, path: `${path}buttons[${index}].do` }))
  switch (document.type) {
    case 'flow':
      return document.steps.flatMap((step, index) =>
        step.type === 'hidden' ? [] : ofButtons(step.buttons, `steps[${index}].`),
      )
    case 'checklist':
      return document.tasks.map((task, index) => ({ actions: task.do ?? [], path: `tasks[${index}].do` }))
    case 'banner':
      return ofButtons(document.buttons, '')
    case 'launcher':
      return [{ actions: document.do, path: 'do' }]
  }
}
