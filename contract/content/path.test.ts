import { expect, it } from 'vitest'
import type { FlowDocument, Step } from './document.ts'
import { pathOf } from './path.ts'

const dialog = (key: string, ...actions: object[]): Step =>
  ({ key, type: 'dialog', blocks: [{ heading: key }], buttons: [{ label: 'On', do: actions }] }) as Step
const isOwner = { attribute: 'role', is: 'equals', value: 'owner' } as const
const flow = {
  key: 'tour',
  type: 'flow',
  name: 'Tour',
  steps: [
    dialog('hello', { track: 'x' }, { next: true }),
    {
      key: 'wait',
      type: 'hidden',
      advance: [
        { on: 'condition', condition: isOwner, to: 'owners' },
        { on: 'otherwise', to: 'others' },
      ],
      timeout: { after: '60s', to: 'others' },
    },
    dialog('owners', { go_to: 'end' }),
    dialog('others', { next: true }),
    dialog('end', { next: true }),
  ],
} as FlowDocument

const shown = (outcome: boolean | null) => {
  const { steps, end } = pathOf(flow, () => outcome)
  return [...steps.map(({ key, because }) => (because ? `${key} since ${because}` : key)), end]
}

it('takes the first way that holds, and says why', () => {
  expect(shown(true)).toEqual(['hello', 'wait', 'owners since role is "owner"', 'end', 'completed'])
  expect(shown(false)).toEqual(['hello', 'wait', 'others since none of the ways before holds', 'end', 'completed'])
})

it('ends where only the page can decide', () => {
  expect(shown(null)).toEqual(['hello', 'wait', 'page'])
})

it('ends in a round, at a dead end and without steps', () => {
  const round = { ...flow, steps: [dialog('a', { next: true }), dialog('b', { go_to: 'a' })] }
  expect(pathOf(round, () => null)).toMatchObject({ steps: [{ key: 'a' }, { key: 'b' }], end: 'page' })
  expect(pathOf({ ...flow, steps: [dialog('a', { go_to: 'gone' })] }, () => null).end).toBe('nowhere')
  expect(pathOf({ ...flow, steps: [dialog('a', { open: '/' })] }, () => null).end).toBe('nowhere')
  expect(pathOf({ ...flow, steps: [] }, () => null)).toEqual({ steps: [], end: 'nowhere' })
})

it('passes by a button that only leaves', () => {
  const steps = [
    {
      ...dialog('a'),
      buttons: [
        { label: 'Not now', do: [{ end: 'dismissed' }] },
        { label: 'On', style: 'primary', do: [{ next: true }] },
      ],
    } as Step,
    dialog('b', { end: 'dismissed' }),
  ]
  expect(pathOf({ ...flow, steps }, () => null)).toMatchObject({
    steps: [{ key: 'a' }, { key: 'b' }],
    end: 'dismissed',
  })
})
