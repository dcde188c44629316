import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { usherJson } from '../support/command.ts'
import { tour } from '../support/content.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { openInbox } from '../support/deliveries.ts'
import { checkOut, earlierVersions, versionsBeforeFlows } from '../support/earlier-version.ts'
import { temporaryFolder } from '../support/folder.ts'
import { Ledger } from '../support/ledger.ts'
import { startLoad } from '../support/load.ts'
import { Page } from '../support/page.ts'
import { call, type ServerProcess, spawnServer } from '../support/process.ts'

const CALLERS = 8
const STEP_MS = 5_000

const beforeFlows = versionsBeforeFlows()
const versions = [...(await earlierVersions()), ...beforeFlows]
if (versions.length === 0)
  console.warn('No earlier version is tried: this checkout has no history (git fetch --unshallow, or clone it whole).')

let test: TestDatabase
let folder: string
let nodes: ServerProcess[]

beforeEach(async () => {
  nodes = []
  folder = await temporaryFolder()
  test = await createEmptyDatabase()
})
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.end()))
  await test.close()
  await rm(folder, { recursive: true, force: true })
})

async function start(main?: string): Promise<ServerProcess> {
  const node = await spawnServer({ DATABASE_URL: test.url, USHER_LOG_LEVEL: 'error' }, main)
  nodes.push(node)
  return node
}

/** What a later migration may do to any table (docs/upgrading.md). */
async function addColumns(): Promise<void> {
  const tables = await test.database.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'usher'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    [],
  )
  expect(tables.length).toBeGreaterThan(20)
  for (const { name } of tables)
    await test.database.query(
      `alter table usher.${name} add column later text, add column later_count int not null default 0`,
      [],
    )
}

it.runIf(versions.length > 0).each(versions)(
  'nodes of %s serve beside this version, through migrations and new columns, and nothing is refused or lost',
  async (version) => {
    const main = await checkOut(version, join(folder, 'earlier'))
    const inbox = await openInbox()
    onTestFinished(() => inbox.close())
    const earlier = await start(main)
    await call(earlier, 'POST', '/webhook_subscriptions', { url: inbox.url, topics: ['event.tracked'] })

    const ledger = new Ledger()
    let serving = [earlier]
    let turn = 0
    const load = startLoad(() => serving[turn++ % serving.length] as ServerProcess, ledger, CALLERS, 91)
    await sleep(STEP_MS)
    const latest = await start()
    serving = [earlier, latest]
    await sleep(STEP_MS)
    await addColumns()
    await sleep(STEP_MS)
    serving = [latest]
    // What the callers sent to the earlier node is answered before it stops.
    expect(await earlier.end()).toBe(0)
    await sleep(STEP_MS)
    await load.stop()

    const { 200: done = 0, ...others } = ledger.statuses
    expect(others).toEqual({})
    expect(done).toBeGreaterThan(500)
    expect(nodes.map((node) => node.output()).join('')).not.toMatch(/"level":"(error|fatal)"/)
    await ledger.audit(test.connection)
    const missing = () => {
      const arrived = new Set(inbox.arrivals.map(({ body }) => JSON.parse(body).data.object.attributes.mark))
      return [...ledger.events.keys()].filter((mark) => !arrived.has(mark)).length
    }
    await expect.poll(missing, { interval: 500 }).toBe(0)
  },
)

it.runIf(versions.length > 0).each(versions)(
  '%s starts again on the database of this version when the schema is the same, and otherwise refuses and says so',
  async (version) => {
    const main = await checkOut(version, join(folder, 'earlier'))
    await (await start(main)).end()
    const [before] = await applied()
    const latest = await start()
    const [after] = await applied()
    if (before === after) {
      const earlier = await start(main)
      expect(await call(earlier, 'POST', '/users', { id: 'u_1' })).toMatchObject({ status: 200 })
      expect(await call(latest, 'GET', '/users/u_1')).toMatchObject({ status: 200 })
    } else await expect(start(main)).rejects.toThrow(`The database has schema version ${after}`)
    expect(await call(latest, 'POST', '/users', { id: 'u_2' })).toMatchObject({ status: 200 })
  },
)

const PEOPLE = 500

/** What an installation had before it was upgraded. */
async function fill(node: ServerProcess): Promise<void> {
  for (let from = 0; from < PEOPLE; from += 100) {
    const operations = Array.from({ length: 100 }, (_, index) => ({
      method: 'POST',
      path: '/users',
      body: { id: `person-${from + index}`, attributes: { name: 'Ada', n: from + index }, groups: [{ id: 'acme' }] },
    }))
    expect(await call(node, 'POST', '/batch', { operations })).toMatchObject({ status: 200 })
  }
  expect(
    await call(node, 'POST', '/events', { name: 'exported', user_id: 'person-1', attributes: { rows: 3 } }),
  ).toMatchObject({ status: 200 })
}

it.runIf(beforeFlows.length > 0).each(beforeFlows)(
  'guided flows work for the users and events of %s, beside a node of it that serves on, and nothing is refused or lost',
  async (version) => {
    const earlier = await start(await checkOut(version, join(folder, 'earlier')))
    await fill(earlier)
    const ledger = new Ledger()
    const load = startLoad(() => earlier, ledger, CALLERS, 34)
    const latest = await start()
    const { body: saved } = await call(latest, 'POST', '/content', tour('upgraded', { who: { event: 'exported' } }))
    expect(await call(latest, 'POST', `/content/${saved.id}/publish`, {})).toMatchObject({ status: 200 })
    const words = ['tokens', 'create', '--environment', 'Production']
    const { token } = await usherJson<{ token: string }>(words, { DATABASE_URL: test.url, USHER_LOG_LEVEL: 'silent' })

    // The event of before the upgrade counts, and so does one that the earlier node stores now.
    for (const userId of ['person-1', 'person-2']) {
      const page = new Page({ url: latest.url, token })
      await page.identify(userId)
      if (userId === 'person-2') await call(earlier, 'POST', '/events', { name: 'exported', user_id: userId })
      const { id, epoch } = (await page.call('claim', { content: 'upgraded' })).body
      const reports = [
        { sequence: 1, type: 'step_seen', step: 'hello' },
        { sequence: 2, type: 'completed' },
        { sequence: 3, type: 'ended', reason: 'button' },
      ]
      expect((await page.call('progress', { id, epoch, reports })).body).toMatchObject({ state: 'completed' })
      // The events of the flow are ordinary events, also for the earlier node.
      const { body: events } = await call(earlier, 'GET', `/events?user_id=${userId}&name=flow_completed`)
      expect(events.data).toMatchObject([{ attributes: { flow_session_id: id } }])
    }
    await load.stop()
    const { 200: done = 0, ...others } = ledger.statuses
    expect(others).toEqual({})
    expect(done).toBeGreaterThan(100)
    await ledger.audit(test.connection)
    const kept = await test.database.query(
      `select count(*)::int as people, count(attributes ->> 'n')::int as numbers from usher.users where id like 'person-%'`,
      [],
    )
    expect(kept).toEqual([{ people: PEOPLE, numbers: PEOPLE }])
    expect(nodes.map((node) => node.output()).join('')).not.toMatch(/"level":"(error|fatal)"/)
  },
)

async function applied(): Promise<number[]> {
  const rows = await test.database.query<{ version: number }>(
    'select max(version) as version from usher.schema_migrations',
    [],
  )
  return rows.map(({ version }) => version)
}
