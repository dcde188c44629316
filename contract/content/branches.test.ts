import { expect, it } from 'vitest'
import { branchesOf } from './branches.ts'
import type { FlowDocument, Step } from './document.ts'

const dialog = (key: string, action: object = { next: true }) =>
  ({ key, type: 'dialog', blocks: [{ heading: key }], buttons: [{ label: 'On', do: [action] }] }) as Step
const wait = (...goals: (string | undefined)[]) =>
  ({
    key: 'wait',
    type: 'hidden',
    advance: goals.map((to) => ({ on: 'otherwise', ...(to === undefined ? {} : { to }) })),
    timeout: { after: '60s', to: 'end' },
  }) as Step
const flow = (...steps: Step[]) => ({ key: 'a', type: 'flow', name: 'A', steps }) as FlowDocument

it('indents the steps that the ways of a hidden one lead to, until they come together', () => {
  const { depths, joins, starts } = branchesOf(
    flow(dialog('a'), wait('b', 'c'), dialog('b', { go_to: 'end' }), dialog('c'), dialog('end')),
  )
  expect([depths, [...joins], [...starts.keys()]]).toEqual([[0, 0, 1, 1, 0], [4], [2, 3]])
})

it('a way past a branch is no branch: it leads to where the branch ends', () => {
  const { depths, joins, starts } = branchesOf(flow(wait('b', 'end'), dialog('b'), dialog('end')))
  expect([depths, [...joins], [...starts.keys()]]).toEqual([[0, 1, 0], [2], [1]])
})

it('indents nothing for one way, and for ways that lead elsewhere', () => {
  for (const steps of [
    [wait(undefined), dialog('b'), dialog('end')],
    [dialog('a'), wait('a', 'end'), dialog('b'), dialog('end')],
  ])
    expect(branchesOf(flow(...steps)).depths).toEqual(steps.map(() => 0))
})
