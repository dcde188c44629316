import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { defaultTheme } from '../contract/content/theme.ts'
import { type TableName, tables } from '../server/database/tables.ts'
import { findRuns } from '../server/results/queries.ts'
import { sumRuns } from '../server/results/sum.ts'
import { startTestServer } from './support/client.ts'
import { tour } from './support/content.ts'
import { openPublicSide, Page } from './support/page.ts'
import { restoreElsewhere } from './support/restored.ts'

/** The folders of guided flows. */
const OWNERS = ['segments', 'content', 'history', 'results', 'sdk', 'in-place']
const guided = (Object.keys(tables) as TableName[]).filter((name) => OWNERS.includes(tables[name].owner))
const HOUR_MS = 3_600_000

/** Without the time of the last use: it is stored up to ten seconds after that, perhaps between the backup and this. */
async function rowsOf(connection: pg.ClientConfig, names: readonly TableName[]): Promise<Record<string, unknown[]>> {
  const client = new pg.Client(connection)
  await client.connect()
  const found: Record<string, unknown[]> = {}
  for (const name of names) {
    const { rows } = await client.query(`select to_jsonb(t) - 'last_used_at' as row from usher.${name} as t order by 1`)
    found[name] = rows.map(({ row }) => row)
  }
  await client.end()
  return found
}

it('a restored copy has all of guided flows: what was seen stays seen, open pages go on, and results are the same', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const { client, services, environmentId, url } = server
  // Its sums are by the clock, and would take back those that are ahead.
  await services.housekeeping.stop()
  const { token, sign } = await openPublicSide(services, environmentId, {
    identity: 'required',
    origins: ['https://app.example.com'],
  })
  const post = async (path: string, body: object = {}) => {
    const { status, body: answer } = await client.post(path, body)
    expect([status, answer.error?.message]).toEqual([200, undefined])
    return answer
  }
  await post('/segments', { key: 'named', name: 'Named', condition: { attribute: 'name', is: 'exists' } })
  await post('/themes', { ...defaultTheme, key: 'brand', name: 'Brand' })
  const publish = async (key: string) => {
    const { id } = await post('/content', tour(key, { who: { segment: 'named', is: 'in' } }))
    await post(`/content/${id}/publish`)
    return id as string
  }
  const contentId = await publish('seen')
  await publish('running')
  const gone = await publish('gone')
  await client.delete(`/content/${gone}`)
  await post('/users', { id: 'ada', attributes: { name: 'Ada' } })
  const page = new Page({ url, token, origin: 'https://app.example.com' })
  const identified = await page.identify('ada', { signature: sign('ada') })
  expect(identified.body).toMatchObject({ verified: true })
  const report = async (key: string, ...reports: object[]) => {
    const { id, epoch } = (await page.call('claim', { content: key })).body
    await page.call('progress', { id, epoch, reports })
    return { id, epoch }
  }
  const first = { sequence: 1, type: 'step_seen', step: 'hello' }
  const answered = [
    { sequence: 2, type: 'step_seen', step: 'ask' },
    { sequence: 3, type: 'answered', question: 'ease', value: 9 },
    { sequence: 4, type: 'completed' },
    { sequence: 5, type: 'ended', reason: 'button' },
  ]
  await report('seen', first, ...answered)
  await sumRuns(server.database, Date.now() + HOUR_MS)
  const { id: openId } = await report('running', first)

  const copy = await restoreElsewhere(server)
  onTestFinished(() => copy.close())
  const kept = guided.filter((name) => tables[name].backup === 'kept')
  const before = await rowsOf(server.connection, kept)
  expect(kept.filter((name) => before[name]?.length === 0)).toEqual([])
  expect(await rowsOf(copy.connection, kept)).toEqual(before)
  // Claims are short-lived, and edit sessions must not be valid again.
  const left = await rowsOf(
    copy.connection,
    guided.filter((name) => tables[name].backup !== 'kept'),
  )
  expect(Object.values(left).flat()).toEqual([])

  const there = new Page({ url: copy.url, token, origin: 'https://app.example.com', browserId: page.browserId })
  expect((await there.identify('ada', { signature: sign('ada') })).body).toMatchObject({
    verified: true,
    decision: { content: [], sessions: [{ id: openId, held: 'free' }] },
  })
  const resumed = (await there.call('claim', { content: 'running', session: openId })).body
  expect(resumed).toMatchObject({ id: openId, sequence: 1, progress: { step: 'hello' } })
  const done = await there.call('progress', { id: openId, epoch: resumed.epoch, reports: answered })
  expect(done.body).toMatchObject({ sequence: 5, state: 'completed' })
  const again = { content: 'seen', user_id: 'ada', holder: 'phone' }
  expect((await copy.client.post('/content_sessions', again)).body.error.code).toBe('already_seen')
  expect(await findRuns(copy.services.database, environmentId, contentId)).toEqual(
    await findRuns(server.database, environmentId, contentId),
  )
})
