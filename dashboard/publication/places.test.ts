import { expect, it } from 'vitest'
import { exampleChecklist, exampleFlow } from '../../contract/content/examples.ts'
import { placeOf, placeWords, problemWords } from './places.ts'

it.each([
  ['steps[1].buttons[0].do', { tab: 'steps', step: 'thanks' }, 'Step 2, button 1'],
  ['steps[0]', { tab: 'steps', step: 'where-it-is' }, 'Step 1'],
  ['steps[1].buttons[0].label', { tab: 'steps', step: 'thanks' }, 'Step 2, button 1, label'],
  ['steps[1].buttons[0].do[1].track', { tab: 'steps', step: 'thanks' }, 'Step 2, button 1, event'],
  ['steps[0].target.locators', { tab: 'steps', step: 'where-it-is' }, 'Step 1, element'],
  ['steps[9].blocks', { tab: 'steps' }, 'Step 10, blocks'],
  ['who.all[0].attribute', { tab: 'who' }, 'Who'],
  ['theme', { tab: 'who' }, 'Theme'],
  ['', { tab: 'steps' }, 'The flow'],
])('the problem at %s has a place and words for it', (param, place, words) => {
  expect([placeOf(exampleFlow, param), placeWords(exampleFlow, param)]).toEqual([place, words])
})

it('what is lacking is said as what to do, and not as the rule of a file', () => {
  const least = 'must have at least 1 item'
  expect(problemWords('steps[2]', 'no way leads to the step `thanks`')).toBe('no way leads to the step “thanks”')
  expect(problemWords('steps[0].target.locators', least)).toBe('has no element yet: pick one')
  expect(problemWords('steps[0].buttons[0].do', least)).toBe('does nothing yet: add an action')
  expect(problemWords('steps[0].buttons[0].do[0].start', 'must be 1 to 64 characters out of a-z, 0-9')).toBe(
    'starts nothing yet: choose content',
  )
  expect(problemWords('steps[0].buttons[0].label', 'must not be empty')).toBe('must not be empty')
})

it('a problem of a task leads to the task', () => {
  expect(placeOf(exampleChecklist, 'tasks[1].name')).toEqual({ tab: 'steps', task: 'read' })
})
