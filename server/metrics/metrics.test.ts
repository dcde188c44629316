import { expect, it } from 'vitest'
import { Metrics } from './metrics.ts'

const sources = {
  pool: { totalCount: 1, idleCount: 1, waitingCount: 0 },
  commits: { depth: 7 },
  rateLimiter: { refusals: 0 },
  concurrency: { active: 0, waiting: 0, refusals: 0 },
}

it('answers with the figures of the process while the database neither answers nor fails', async () => {
  const metrics = new Metrics(sources, '1.0.0')
  const never = () => new Promise<never>(() => {})
  metrics.watchTables(never)
  metrics.watchWorkers(never)
  metrics.watchGuidance(async () => ({ published: 3, switchedOff: 0 }))
  const { text } = await metrics.scrape()
  expect(text).toContain('usher_commit_queue_jobs 7')
  expect(text).toContain('usher_content_published 3')
  expect(text).not.toContain('usher_table_bytes{')
})
