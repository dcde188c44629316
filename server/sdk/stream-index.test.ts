import { expect, it } from 'vitest'
import type { EnvironmentId } from '../database/database.ts'
import { hintKey, hintSubject } from '../hints/keys.ts'
import { type Stream, StreamIndex } from './stream-index.ts'

const ENVIRONMENT = 7 as EnvironmentId
const ACME = hintSubject('group', 'acme')

const streamOf = (user: string, group?: string) =>
  ({ environmentId: ENVIRONMENT, user, group, browser: user, address: user, beat: 0 }) as Stream

it('each of many streams is found by its user, its group and their keys, until it is removed', () => {
  const index = new StreamIndex()
  const streams = Array.from({ length: 20_000 }, (_, number) => streamOf(`user_${number}`, ACME))
  for (const stream of streams) index.add(stream)
  const found = (stream: Stream) => [
    index.ofSubject(ENVIRONMENT, stream.user)?.has(stream),
    index.ofKey(hintKey(ENVIRONMENT, stream.user))?.has(stream),
    index.ofSubject(ENVIRONMENT, ACME)?.has(stream),
  ]
  expect(streams.filter((stream) => !found(stream).every((isFound) => isFound))).toEqual([])
  expect(index.ofSubject(8 as EnvironmentId, 'user_1')).toBeUndefined()
  expect(index.ofSubject(ENVIRONMENT, 'nobody')).toBeUndefined()
  const [removed, kept] = [streams.slice(0, 10_000), streams.slice(10_000)]
  for (const stream of removed) index.remove(stream)
  expect(removed.filter((stream) => found(stream).some((isFound) => isFound))).toEqual([])
  expect(kept.filter((stream) => !found(stream).every((isFound) => isFound))).toEqual([])
})
