import { expect, it } from 'vitest'
import type { EnvironmentId } from '../database/database.ts'
import { type ContentSource, compileEnvironment } from './compiled-content.ts'
import { ContentCache } from './content-cache.ts'

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
const compiled = () => compileEnvironment('1', [source], noSegments)

it('10,000 environments with content take no more memory than allowed: the least recently used go', () => {
  const most = 100 * compiled().weight
  const cache = new ContentCache(most)
  cache.set(0 as EnvironmentId, compiled())
  for (let id = 1; id < 10_000; id += 1) {
    cache.set(id as EnvironmentId, compiled())
    expect(cache.size).toBeLessThanOrEqual(100)
    // It is asked for again and again, so it stays.
    expect(cache.get(0 as EnvironmentId)).toBeDefined()
  }
  expect(cache.size).toBe(100)
  expect(cache.get(9_999 as EnvironmentId)).toBeDefined()
  expect(cache.get(5_000 as EnvironmentId)).toBeUndefined()
})

it('an environment without content weighs little, one that is compiled again no more than once', () => {
  const cache = new ContentCache(10_000)
  for (let id = 0; id < 10; id += 1) cache.set(id as EnvironmentId, compileEnvironment(null, [], noSegments))
  expect(cache.size).toBe(10)
  for (let round = 0; round < 100; round += 1) cache.set(3 as EnvironmentId, compileEnvironment(null, [], noSegments))
  expect(cache.size).toBe(10)
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
