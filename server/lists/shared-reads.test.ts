import { expect, it } from 'vitest'
import type { EnvironmentId } from '../database/database.ts'
import { SharedReads } from './shared-reads.ts'

const ENVIRONMENT = 1 as EnvironmentId
const turn = () => new Promise(setImmediate)

/** Reads that end when the test resolves them. */
function controlled() {
  const reads: { name: string; finish(text: string): void; fail(error: Error): void }[] = []
  const shared = new SharedReads()
  const ask = (name: string, environmentId = ENVIRONMENT) =>
    shared.read(environmentId, name, () => new Promise((finish, fail) => reads.push({ name, finish, fail })))
  return { reads, ask }
}

it('reads once for all requests that arrive together, and once more for all that arrive during the read', async () => {
  const { reads, ask } = controlled()
  const first = [ask('a'), ask('a'), ask('a')]
  await turn()
  const later = [ask('a'), ask('a')]
  await turn()
  expect(reads).toHaveLength(1)
  reads[0]?.finish('before')
  expect(await Promise.all(first)).toEqual(['before', 'before', 'before'])
  await turn()
  expect(reads).toHaveLength(2)
  reads[1]?.finish('after')
  expect(await Promise.all(later)).toEqual(['after', 'after'])
  const last = ask('a')
  await turn()
  reads[2]?.finish('anew')
  expect(await last).toBe('anew')
})

it('shares nothing between lists, or between environments', async () => {
  const { reads, ask } = controlled()
  const answers = [ask('a'), ask('b'), ask('a', 2 as EnvironmentId)]
  await turn()
  expect(reads.map(({ name }) => name)).toEqual(['a', 'b', 'a'])
  reads.forEach(({ finish }, index) => {
    finish(String(index))
  })
  expect(await Promise.all(answers)).toEqual(['0', '1', '2'])
})

it('a failed read fails the requests that waited for it, and none after them', async () => {
  const { reads, ask } = controlled()
  const failed = Promise.allSettled([ask('a'), ask('a')])
  await turn()
  const later = ask('a')
  reads[0]?.fail(new Error('no'))
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await turn()
  reads[1]?.finish('yes')
  expect(await later).toBe('yes')
})
