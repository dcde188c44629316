import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction } from '../../server/database/in-transaction.ts'
import { setKeptDays } from '../../server/housekeeping/kept-days.ts'
import { raiseRevision } from '../../server/segments/queries.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { tour } from '../support/content.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  await post('/users', { id: 'ada', attributes: {} })
  for (const days of [10, 40])
    await post('/events', { user_id: 'ada', name: 'opened', time: ago(days), attributes: {} })
})
afterAll(() => server.close())

const post = async (path: string, body: object) => await server.client.post(path, body)

async function keep(days: number | null): Promise<void> {
  await setKeptDays(server.database, server.environmentId, 'keep_events_days', days)
  await inTransaction(server.database, (transaction) => raiseRevision(transaction, server.environmentId))
}

const TWICE = { event: 'opened', at_least: 2 }

it('"ever" means and reads "in the last n days" where events are kept for n days, in both forms, though older ones are still stored', async () => {
  const { body: saved } = await post('/content', tour('ever', { who: TWICE }))
  await post(`/content/${saved.id}/publish`, {})
  await post('/segments', { key: 'twice', condition: TWICE })
  const asked = async () => {
    const { body: decision } = await post('/decisions', { user_id: 'ada', receipts: true })
    const { body: explained } = await post('/segments/explain', { segment: 'twice', user_id: 'ada' })
    const { body: counted } = await post('/segments/count', { segment: 'twice' })
    const { body: segment } = await server.client.get('/segments/twice')
    const { body: members } = await server.client.get('/users?segment=twice')
    return {
      outcome: decision.receipts[0].outcome,
      sentences: [decision.receipts[0].sentence, explained.sentence, segment.sentence],
      count: counted.count,
      members: members.data.length,
    }
  }
  expect(await asked()).toMatchObject({ outcome: 'show', count: 1, members: 1 })
  await keep(30)
  expect(await asked()).toEqual({
    outcome: 'hide',
    sentences: [
      'Not shown: opened happened once in the last 30 days, at least 2 times are needed',
      'opened happened once in the last 30 days, at least 2 times are needed',
      'opened happened at least 2 times in the last 30 days',
    ],
    count: 0,
    members: 0,
  })
  await keep(null)
  expect(await asked()).toMatchObject({ outcome: 'show', count: 1, members: 1 })
})

it('a window that is longer than events are kept is a problem of publishing that names both, also in a segment', async () => {
  await keep(30)
  await post('/segments', { key: 'long', condition: { not: { event: 'opened', since: '2020-01-01T00:00:00Z' } } })
  const who = {
    all: [
      { event: 'opened', within: '60d' },
      { event: 'opened', within: '30d' },
      { event: 'opened' },
      { segment: 'long', is: 'in' },
      { event: 'opened', within: '60d', since: new Date().toISOString() },
      { event: 'opened', within: '7d', since: '2020-01-01T00:00:00Z' },
    ],
  } as const
  const { body: saved } = await post('/content', tour('long', { who: who as never }))
  const { status, body } = await post(`/content/${saved.id}/publish`, {})
  expect([status, body.error.errors ?? body.error.message]).toEqual([400, expect.anything()])
  const { body: plan } = await post(`/content/${saved.id}/publish`, { dry_run: true })
  expect(plan.problems).toEqual([
    { param: 'who.all[0].within', message: 'looks back 60 days, and events are kept for 30 days' },
    {
      param: 'who.all[3].segment',
      message: 'the segment `long` looks back to 2020-01-01T00:00:00Z, and events are kept for 30 days',
    },
  ])
})
