import { expect, it } from 'vitest'
import type { Condition } from '../../contract/conditions/condition.ts'
import { type CompiledEnvironment, type ContentSource, compileEnvironment } from './compiled-content.ts'

const document = JSON.stringify({ key: 'a', type: 'banner', name: 'A', blocks: [{ text: 'x'.repeat(2_000) }] })
const source: ContentSource = {
  id: 'a',
  key: 'a',
  type: 'banner',
  versionId: 'v',
  publishedAt: null,
  isPublished: true,
  document,
}
const noSegments = { segments: () => undefined, keptDays: undefined }

it('an environment without content weighs little', () => {
  expect(compileEnvironment(null, [], noSegments).weight).toBe(1_000)
})

it('what a content shows is not kept: a long flow weighs as much as a short one with the same rules', () => {
  const who = { attribute: 'plan', is: 'one_of', values: ['growth'] }
  const weightOf = (blocks: number) => {
    const shown = Array.from({ length: blocks }, () => ({ text: 'x'.repeat(2_000) }))
    const banner = JSON.stringify({ key: 'a', type: 'banner', name: 'A', who, blocks: shown })
    const environment = compileEnvironment('1', [{ ...source, document: banner }], noSegments)
    expect(JSON.stringify(environment)).not.toContain('xxx')
    return environment.weight
  }
  expect(weightOf(20)).toBe(weightOf(1))
})

it('contents alone take as much as the environment at most, however often they name the same segments', () => {
  const condition = { attribute: 'plan', is: 'one_of' as const, values: ['x'.repeat(10_000)] }
  let lookUps = 0
  const segments = (name: string) => {
    lookUps += 1
    return { name, condition }
  }
  const keys = Array.from({ length: 50 }, (_, number) => `c${number}`)
  const sources = (who: Condition) =>
    keys.map((key) => ({ ...source, id: key, key, document: JSON.stringify({ ...JSON.parse(document), key, who }) }))
  const compiled = (who: Condition) => compileEnvironment('1', sources(who), { segments, keptDays: undefined })
  const kept = ({ alone }: CompiledEnvironment) => {
    const before = keys.map((key) => alone(key))
    return keys.toReversed().filter((key) => before.includes(alone(key)))
  }
  const naming = compiled({ all: [{ segment: 'large', is: 'in' }] })
  lookUps = 0
  expect(kept(naming)).toEqual(['c49'])
  // The environment keeps the segments that it needs, and asks for no others.
  expect(lookUps).toBe(0)
  expect(kept(compiled({ event: 'done' }))).toHaveLength(50)
})
