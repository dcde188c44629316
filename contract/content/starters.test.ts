import { expect, it } from 'vitest'
import { contentTypes } from './document.ts'
import { draftProblems } from './draft.ts'
import { flowProblems } from './flow-problems.ts'
import { emptyDocument, starters } from './starters.ts'
import { documentProblems } from './validate.ts'

it.each(starters.map((starter) => [starter.title, starter] as const))(
  'the starter %s is a document that can be published',
  (_, { document, step }) => {
    expect(documentProblems(document)).toEqual([])
    if (document.type !== 'flow') return
    expect(flowProblems(document)).toEqual([])
    expect(document.steps.map(({ key }) => key)).toEqual(expect.arrayContaining(step ? [step] : []))
  },
)

it.each(contentTypes)('an empty %s can be kept as a draft', (type) => {
  expect(draftProblems(emptyDocument(type))).toEqual([])
})

it('a draft may be unfinished, and is refused when an editor could not read it again', () => {
  const flow = emptyDocument('flow')
  const unfinished = { ...flow, name: '', who: { all: [{ attribute: '' }, {}] }, steps: [] }
  expect(draftProblems(unfinished)).toEqual([])
  expect(documentProblems(unfinished)).not.toEqual([])
  const broken: [unknown, string][] = [
    [{ ...flow, steps: 'none' }, 'steps'],
    [{ ...flow, who: 7 }, 'who'],
    [{ ...flow, tasks: [] }, 'tasks'],
    [{ ...flow, type: 'survey' }, 'type'],
    [{ ...flow, steps: [{ key: 'a', type: 'tooltip', blocks: [] }] }, 'steps[0].target'],
    [{ ...flow, name: 'a\u0000b' }, ''],
    [{ ...flow, name: 'a'.repeat(70_000) }, ''],
    [{ ...flow, who: deep(50) }, ''],
  ]
  for (const [draft, path] of broken) expect(draftProblems(draft).map((problem) => problem.path)).toContain(path)
})

function deep(levels: number): object {
  return levels === 0 ? {} : { not: deep(levels - 1) }
}
