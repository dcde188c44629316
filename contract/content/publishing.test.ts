import { expect, it } from 'vitest'
import type { Condition } from '../conditions/condition.ts'
import { limits } from '../limits.ts'
import { exampleFlow } from './examples.ts'
import { publishingProblems, type Surroundings } from './publishing.ts'

const leaf: Condition = { attribute: 'plan', is: 'exists' }
const many: Condition = { all: Array.from({ length: limits.conditionLeaves }, () => leaf) }
const known: Surroundings = {
  segments: new Map([['many', many]]),
  content: new Set(),
  themes: new Map(),
  attributes: new Map(),
}

it('a condition has at most as many leaves as a segment may have, with those of the segments that it names', () => {
  const most = limits.expandedLeaves / limits.conditionLeaves
  const problems = (all: Condition[]) => publishingProblems({ ...exampleFlow, who: { all } }, known)
  const segments: Condition[] = Array.from({ length: most }, () => ({ segment: 'many', is: 'in' }))
  const messageOf = (all: Condition[]) => problems(all).filter(({ path }) => path === 'who')
  expect(messageOf(segments)).toEqual([])
  expect(messageOf([...segments, leaf])).toEqual([
    { path: 'who', message: 'has 1001 leaves with those of its segments; at most 1000 are allowed' },
  ])
})
