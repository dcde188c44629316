import { expect, it } from 'vitest'
import type { EnvironmentId } from '../database/database.ts'
import { LiveFeed } from './feed.ts'
import type { LiveRecord } from './record.ts'

const AT = '2026-01-03T09:00:00.000Z'

function record(id: string, characters: number, status = 200): LiveRecord {
  const request = { id, at: AT, status } as LiveRecord['request']
  const bytes = { requestBytes: characters, answerBytes: 0 }
  return { request, address: '', requestText: 'x'.repeat(characters), answerText: '', ...bytes }
}

it('the requests of many environments with large bodies are bounded together, and the latest are kept', () => {
  const feed = new LiveFeed(() => Date.parse(AT))
  for (let environment = 1; environment <= 60; environment += 1)
    for (let request = 0; request < 80; request += 1)
      feed.add(environment as EnvironmentId, record(`${environment} ${request}`, 16_384))
  const kept = Array.from({ length: 60 }, (_, index) => feed.latest((index + 1) as EnvironmentId, 500).length)
  const characters = kept.reduce((sum, count) => sum + count * 16_884, 0)
  expect(characters).toBeLessThanOrEqual(32 * 1024 * 1024)
  expect(characters).toBeGreaterThan(24 * 1024 * 1024)
  expect(kept.at(-1)).toBe(80)
  expect(kept[0]).toBe(0)
})

it('a request is shown for a day: it may have values of a user who was deleted since', () => {
  let now = Date.parse(AT)
  const feed = new LiveFeed(() => now)
  const environment = 1 as EnvironmentId
  feed.add(environment, record('stored', 10))
  feed.add(environment, record('refused', 10, 400))
  now += 86_399_999
  expect(feed.latest(environment, 10)).toHaveLength(2)
  now += 1
  expect(feed.latest(environment, 10)).toEqual([])
  expect(['stored', 'refused'].map((id) => feed.find(environment, id))).toEqual([undefined, undefined])
})
