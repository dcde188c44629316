import { expect, it } from 'vitest'
import type { Action, FlowDocument, Step } from '../../contract/content/document.ts'
import { jumpWords, wayOn } from './words.ts'

const dialog = (key: string, ...buttons: [string, ...Action[]][]) =>
  ({ key, type: 'dialog', blocks: [], buttons: buttons.map(([label, ...actions]) => ({ label, do: actions })) }) as Step
const flow = (...steps: Step[]) => ({ key: 'a', type: 'flow', name: 'A', steps }) as FlowDocument
const saidOf = (...steps: Step[]) =>
  steps.map((step) => [wayOn(step, flow(...steps)), ...jumpWords(step, flow(...steps))])

it('names the button that leads to the next step, and those that lead to another one', () => {
  expect(
    saidOf(
      dialog('hello', ['Skip', { go_to: 'end' }], ['Show me', { track: 'shown' }, { next: true }]),
      dialog('more', ['On', { go_to: 'end' }], ['Again', { go_to: 'hello' }]),
      dialog('end', ['Send', { end: 'completed' }], ['Nowhere', { go_to: 'gone' }]),
    ),
  ).toEqual([
    ['Show me', 'Skip → step 3'],
    ['On', 'Again → step 1'],
    [undefined, 'Nowhere → no step (gone)'],
  ])
})
