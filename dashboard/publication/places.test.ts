import { expect, it } from 'vitest'
import { exampleChecklist, exampleFlow } from '../../contract/content/examples.ts'
import { placeOf, placeWords } from './places.ts'

it.each([
  ['steps[1].buttons[0].do', { tab: 'steps', step: 'thanks' }, 'Step 2, button 1'],
  ['steps[0]', { tab: 'steps', step: 'where-it-is' }, 'Step 1'],
  ['steps[9].blocks', { tab: 'steps' }, 'Step 10, blocks'],
  ['who.all[0].attribute', { tab: 'who' }, 'Who'],
  ['theme', { tab: 'steps' }, 'Theme'],
  ['', { tab: 'steps' }, 'The flow'],
])('the problem at %s has a place and words for it', (param, place, words) => {
  expect([placeOf(exampleFlow, param), placeWords(exampleFlow, param)]).toEqual([place, words])
})

it('a problem of a task leads to the task', () => {
  expect(placeOf(exampleChecklist, 'tasks[1].name')).toEqual({ tab: 'steps', task: 'read' })
})
