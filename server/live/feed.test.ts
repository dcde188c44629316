import { expect, it } from 'vitest'
import type { EnvironmentId } from '../database/database.ts'
import { LiveFeed } from './feed.ts'
import type { LiveRecord } from './record.ts'

function record(id: string, characters: number): LiveRecord {
  const request = { id, at: '2026-01-03T09:00:00.000Z', status: 200 } as LiveRecord['request']
  const bytes = { requestBytes: characters, answerBytes: 0 }
  return { request, address: '', requestText: 'x'.repeat(characters), answerText: '', ...bytes }
}

it('the requests of many environments with large bodies are bounded together, and the latest are kept', () => {
  const feed = new LiveFeed()
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
