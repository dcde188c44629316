import { expect, it } from 'vitest'
import { type ContentSource, compileEnvironment } from './compiled-content.ts'

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
