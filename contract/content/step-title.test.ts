import { expect, it } from 'vitest'
import type { Step } from './document.ts'
import { stepTitle } from './step-title.ts'

const hidden = { key: 's3', type: 'hidden', advance: [], timeout: { after: '60s', to: 'end' } } as unknown as Step

it('a step is called by its name, its heading, what it waits for, or its key', () => {
  const dialog = { key: 's1', type: 'dialog', blocks: [{ text: 'x' }, { heading: 'Hello' }] } as Step
  expect(stepTitle({ ...dialog, name: 'First' })).toBe('First')
  expect(stepTitle(dialog)).toBe('Hello')
  expect(stepTitle({ ...dialog, blocks: [] } as Step)).toBe('s1')
  const waits = { ...hidden, wait_until: { content: 'welcome', is: 'completed' } } as Step
  expect(stepTitle(waits, { content: new Map([['welcome', 'Welcome tour']]) })).toBe(
    'Wait until “Welcome tour” was completed',
  )
  expect(stepTitle(hidden)).toBe('Choose a way')
})
