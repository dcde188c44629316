import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { isUnreachable, sqlState } from '../server/database/errors.ts'
import { connect } from '../server/database/open.ts'
import { PLAIN } from '../server/database/topology.ts'
import type { Finding } from '../server/doctor/finding.ts'
import { nameOfReplica } from '../server/replicas/open.ts'
import { primaryPosition, standbyStateOf, systemIdOf } from '../server/replicas/position.ts'
import { usher, usherProcess } from './support/command.ts'
import { tour } from './support/content.ts'
import { eventually } from './support/deliveries.ts'
import { movableAddress } from './support/movable-address.ts'
import { startNode, type TestNode } from './support/node.ts'
import { type Answer, call, spawnServer } from './support/process.ts'
import { type ReplicatedPostgres, startReplicated, type TestPostgres } from './support/replication.ts'

/** A PostgreSQL with two streaming standbys, and servers that read lists from one of them or from both. */

type Server = Pick<TestNode, 'url' | 'key'>

/** Of each writer that lists. */
const ROUNDS = 30
/** Content, versions, themes and sessions. */
const LISTS_OF_CONTENT = 4

let postgres: ReplicatedPostgres
let server: TestNode
let settings: Record<string, string>

beforeAll(async () => {
  postgres = await startReplicated()
  settings = {
    DATABASE_URL: postgres.primary.url,
    DATABASE_REPLICA_URL: postgres.replica.url,
    USHER_REPLICA_MAX_LAG_MS: '500',
  }
  server = await startNode(settings)
  await replicaIsUsed(server)
})
afterAll(async () => {
  await server?.end()
  await postgres?.close()
})

type Figures = Record<'used' | 'lag' | 'onReplica' | 'onPrimary', number>

async function figures(of: Server, { url } = postgres.replica): Promise<Figures> {
  const lines = (await (await fetch(`${of.url}/metrics`)).text()).split('\n')
  const read = (metric: string, replica: string) => {
    const start = `usher_replica_${metric}{replica="${replica}"} `
    return Number(lines.find((line) => line.startsWith(start))?.slice(start.length))
  }
  const name = nameOfReplica(url)
  return {
    used: read('used', name),
    lag: read('lag_seconds', name),
    onReplica: read('lists_total', name),
    onPrimary: read('lists_total', 'primary'),
  }
}

const replicaIsUsed = (of: Server, replica?: TestPostgres) =>
  eventually('the replica is used', async () => (await figures(of, replica)).used === 1)
const replicaIsLeftOut = (of: Server, replica?: TestPostgres) =>
  eventually('the replica is left out', async () => (await figures(of, replica)).used === 0)

async function listReadsOnReplica(): Promise<number> {
  const before = await figures(server)
  expect((await call(server, 'GET', '/users?limit=1')).status).toBe(200)
  return (await figures(server)).onReplica - before.onReplica
}

it('reads the lists of content, versions, themes and sessions from the replica, with what was written just before', async () => {
  const { body: saved } = await call(server, 'POST', '/content', tour('replicated'))
  expect((await call(server, 'POST', `/content/${saved.id}/publish`, {})).status).toBe(200)
  await call(server, 'POST', '/users', { id: 'ada' })
  const claim = { content: 'replicated', user_id: 'ada', holder: 'phone' }
  const { body: held } = await call(server, 'POST', '/content_sessions', claim)
  const reports = [{ sequence: 1, type: 'step_seen', step: 'hello' }]
  await call(server, 'POST', `/content_sessions/${held.id}/progress`, { holder: 'phone', reports })
  const lists = {
    '/content': saved.id,
    [`/content_versions?content_id=${saved.id}`]: held.version_id,
    '/content_sessions?user_id=ada': held.id,
  }
  const before = await figures(server)
  for (const [path, id] of Object.entries(lists)) {
    const { status, body } = await call(server, 'GET', path)
    expect([path, status, body.data.map((one: { id: string }) => one.id)]).toEqual([
      path,
      200,
      expect.arrayContaining([id]),
    ])
  }
  expect((await call(server, 'GET', '/themes')).status).toBe(200)
  const after = await figures(server)
  // A replica that has not replayed the last write yet leaves the list to the primary.
  expect(after.onReplica + after.onPrimary - before.onReplica - before.onPrimary).toBe(LISTS_OF_CONTENT)
  await eventually('a list of content is read from the replica', async () => {
    const { onReplica } = await figures(server)
    await call(server, 'GET', '/content')
    return (await figures(server)).onReplica > onReplica
  })
})

/** A single list may have been read from the primary: on a busy machine the replica is some milliseconds behind. */
const listsAreReadThere = () => eventually('lists are read there', async () => (await listReadsOnReplica()) === 1)

const idsOf = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id)

/** Each writes a user, and lists: the user is there, whichever server it was written through and is listed by. */
async function writeAndList(writers: Server[], readers: Server[], rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const id = randomUUID()
    const [writer, reader] = [writers[round % writers.length], readers[round % readers.length]]
    const group = `g_${id}`
    expect(await call(writer as Server, 'POST', '/users', { id, groups: [{ id: group }] })).toMatchObject({
      status: 200,
    })
    const [newest, members, joined] = await Promise.all([
      call(reader as Server, 'GET', `/users?limit=100&order_by=-created_at&expand=groups&number=${id}`),
      call(reader as Server, 'GET', `/users?group_id=${group}`),
      call(reader as Server, 'GET', `/groups?user_id=${id}&expand=users`),
    ])
    if (writer === reader) expect(idsOf(newest)).toContain(id)
    expect(idsOf(members)).toEqual([id])
    expect(idsOf(joined)).toEqual([group])
  }
}

/** A replica of a busy machine lags, and is not used for a while: what is tested is done until lists were read from it. */
async function repeatUntil(areReadThere: () => Promise<boolean>, work: () => Promise<unknown>): Promise<void> {
  do await work()
  while (!(await areReadThere()))
}

const bothReplicas = () => ({ DATABASE_REPLICA_URL: `${postgres.replica.url},${postgres.second.url}` })

it('a caller sees its own writes in lists, also those through another node or worker, whichever replica they are read from', async () => {
  const another = await spawnServer({ ...settings, ...bothReplicas(), USHER_WORKERS: '2' })
  onTestFinished(async () => void (await another.end()))
  await replicaIsUsed(another)
  await replicaIsUsed(another, postgres.second)
  const before = await figures(server)
  const areReadThere = async () => {
    const [own, first, second] = await Promise.all([
      figures(server),
      figures(another, postgres.replica),
      figures(another, postgres.second),
    ])
    return own.onReplica > before.onReplica && first.onReplica > 0 && second.onReplica > 0
  }
  await repeatUntil(areReadThere, () =>
    Promise.all([
      writeAndList([server], [server], ROUNDS),
      writeAndList([another], [server], ROUNDS),
      writeAndList([server, another], [another, server], 2 * ROUNDS),
    ]),
  )
})

it('a caller sees its own writes while replay pauses and resumes at random', async () => {
  let writing = true
  const interrupt = async () => {
    while (writing) {
      await postgres.replica.query('select pg_wal_replay_pause()')
      await sleep(Math.random() * 100)
      await postgres.replica.query('select pg_wal_replay_resume()')
      await sleep(Math.random() * 100)
    }
  }
  const interrupting = interrupt()
  try {
    await Promise.all(Array.from({ length: 4 }, () => writeAndList([server], [server], ROUNDS)))
  } finally {
    writing = false
    await interrupting
    // The next tests need it, also when this one fails.
    await postgres.replica.query('select pg_wal_replay_resume()')
  }
  await replicaIsUsed(server)
})

it('a client that follows the end of /users misses no user of concurrent writers', async () => {
  const { onReplica } = await figures(server)
  await repeatUntil(async () => (await figures(server)).onReplica > onReplica, followWriters)
})

async function followWriters(): Promise<void> {
  const prefix = `followed-${randomUUID()}`
  const created: string[] = []
  const first = await call(server, 'GET', '/users?limit=100&order_by=-created_at')
  const last = idsOf(first)[0]
  let position = `/users?limit=100${last === undefined ? '' : `&starting_after=${last}`}`
  let writing = true
  const seen: string[] = []
  const follow = async () => {
    for (;;) {
      const isLast = !writing
      for (;;) {
        const page = await call(server, 'GET', position)
        position = page.body.next_page_url.slice(server.url.length)
        if (idsOf(page).length === 0) break
        seen.push(...idsOf(page))
      }
      if (isLast) return
    }
  }
  const following = follow()
  await Promise.all(
    Array.from({ length: 12 }, async (_, writer) => {
      for (let count = 0; count < ROUNDS; count += 1) {
        const id = `${prefix} ${writer} ${count}`
        await call(server, 'POST', '/users', { id })
        created.push(id)
        await sleep(Math.random() * 10)
      }
    }),
  )
  writing = false
  await following
  expect(seen.toSorted()).toEqual(created.toSorted())
}

it('a replica that lags too much is reported and not used, and used again when it has caught up', async () => {
  await postgres.replica.query('select pg_wal_replay_pause()')
  try {
    const id = randomUUID()
    await call(server, 'POST', '/users', { id })
    expect(idsOf(await call(server, 'GET', '/users?limit=1&order_by=-created_at'))).toEqual([id])
    await replicaIsLeftOut(server)
    expect((await figures(server)).lag).toBeGreaterThan(0.5)
    expect(await listReadsOnReplica()).toBe(0)
    expect(await findings(settings)).toMatchObject([{ status: 'warning', finding: /has not replayed within 500 ms/ }])
  } finally {
    await postgres.replica.query('select pg_wal_replay_resume()')
  }
  await replicaIsUsed(server)
  await listsAreReadThere()
  expect(await findings(settings)).toMatchObject([{ status: 'ok', finding: /follows the primary/ }])
})

/** Between two lists of a caller while a replica is not used. */
const PAUSE_MS = 20

/** Lists from many callers, without a pause while the replica fails, until it is used again; returns the statuses. */
async function listMeanwhile(fail: () => Promise<void>, recover: () => Promise<void>): Promise<Set<number>> {
  const statuses = new Set<number>()
  let working = true
  let pauseMs = 0
  const callers = Array.from({ length: 8 }, async (_, caller) => {
    for (let count = 0; working; count += 1) {
      const path = `/users?limit=50&expand=memberships.group&number=${caller}-${count}`
      statuses.add((await call(server, 'GET', path)).status)
      if (pauseMs > 0) await sleep(pauseMs)
    }
  })
  try {
    await fail()
    pauseMs = PAUSE_MS
    await recover()
  } finally {
    working = false
  }
  await Promise.all(callers)
  return statuses
}

it('no request fails when a replica is killed, and it is used again when it is back', async () => {
  const statuses = await listMeanwhile(
    async () => {
      await postgres.replica.kill()
      await replicaIsLeftOut(server)
    },
    async () => {
      expect(await findings(settings)).toMatchObject([{ status: 'warning', finding: /cannot be reached/ }])
      await postgres.replica.start()
      await replicaIsUsed(server)
    },
  )
  expect([...statuses]).toEqual([200])
  await listsAreReadThere()
})

it('no request fails when a replica hangs, and it is used again when it answers', async () => {
  const statuses = await listMeanwhile(
    async () => {
      await postgres.replica.signal('SIGSTOP')
      await replicaIsLeftOut(server).finally(() => postgres.replica.signal('SIGCONT'))
    },
    () => replicaIsUsed(server),
  )
  expect([...statuses]).toEqual([200])
})

it('a server starts without a replica that is unreachable, says so in one line, and uses it when it is there', async () => {
  await postgres.replica.stop()
  const started = await startNode(settings)
  onTestFinished(async () => void (await started.end()))
  const lines = started.output().split('\n')
  expect(lines.filter((line) => line.includes('"warn"'))).toEqual([
    expect.stringMatching(/the replica cannot be reached/),
  ])
  expect((await call(started, 'GET', '/users?limit=1')).status).toBe(200)
  await postgres.replica.start()
  await Promise.all([replicaIsUsed(started), replicaIsUsed(server)])
})

it('a role without privileges beyond its tables can ask for everything that is needed', async () => {
  await postgres.primary.query(`create role plain login password 'plain'`)
  const of = ({ connection }: TestPostgres) => connect({ ...connection, user: 'plain', password: 'plain' }, 1, PLAIN)
  const [primary, replica] = [of(postgres.primary), of(postgres.replica)]
  onTestFinished(async () => void (await Promise.all([primary.close(), replica.close()])))
  const { timeline, bytes } = await primaryPosition(primary)
  await eventually('the role is replayed', () =>
    standbyStateOf(replica).then(
      (found) => found.bytes >= bytes,
      () => false,
    ),
  )
  expect(await standbyStateOf(replica)).toMatchObject({
    timeline,
    isStandby: true,
    systemId: await systemIdOf(primary),
  })
})

it('each statement of a transaction on a standby fails with what the standby refused, so that it is retried', async () => {
  const standby = connect(postgres.replica.connection, 1, PLAIN)
  onTestFinished(() => standby.close())
  for (const lockTimeoutMs of [undefined, 250]) {
    const transaction = await standby.begin(lockTimeoutMs)
    const statements = [transaction.query('select 1', []), transaction.query('select 2', [])]
    const refused = (await Promise.allSettled([...statements, transaction.commit()])) as PromiseRejectedResult[]
    await transaction.abandon(refused[0]?.reason)
    expect(refused.map(({ reason }) => sqlState(reason))).toEqual(['25006', '25006', '25006'])
    for (const { reason } of refused) expect(isUnreachable(reason)).toBe(true)
  }
})

async function findings(given: Record<string, string>): Promise<Finding[]> {
  const { stdout } = await usher(['doctor', '--json'], given)
  return (JSON.parse(stdout) as { findings: Finding[] }).findings.filter(({ check }) => check === 'replica')
}

describe('an address that is not one of a replica', () => {
  it.each([
    [
      'of something else',
      { DATABASE_REPLICA_URL: 'postgres://a/b,http://secret@c/' },
      /entry 2 of 2 is not a PostgreSQL/,
    ],
    ['without a primary', { DATABASE_URL: '', DATABASE_REPLICA_URL: 'postgres://a/b' }, /needs DATABASE_URL/],
  ])('%s is refused in one line', async (_, given, line) => {
    const { code, stderr } = await usherProcess(['start'], { ...settings, ...given, PORT: '0' })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(line) })
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(stderr).not.toContain('secret')
  })

  it('of another database system is refused by the start, and a problem for doctor', async () => {
    const another = await postgres.another()
    await another.start()
    const given = { ...settings, DATABASE_REPLICA_URL: another.url, PORT: '0' }
    const { code, stderr } = await usherProcess(['start'], given)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^[^\n]*not a replica of the database[^\n]*\n$/),
    })
    expect(await findings(given)).toMatchObject([{ status: 'problem', finding: /another database system/ }])
  })

  it('of the primary itself is left out, with one line', async () => {
    const given = { ...settings, DATABASE_REPLICA_URL: postgres.primary.url }
    const started = await startNode(given)
    onTestFinished(async () => void (await started.end()))
    expect(started.output()).toMatch(/the replica is not a standby/)
    expect((await call(started, 'GET', '/users?limit=1')).status).toBe(200)
    expect(await figures(started, postgres.primary)).toMatchObject({ used: 0, onReplica: 0, onPrimary: 1 })
    expect(await findings(given)).toMatchObject([{ status: 'problem', finding: /is not a standby/ }])
  })
})

it('after a failover writes go to the new primary, and lists are read from the replica that follows it', async () => {
  const { primary, replica: promoted, second } = postgres
  const address = await movableAddress(primary.connection)
  onTestFinished(() => address.close())
  const node = await startNode({ ...settings, DATABASE_URL: address.url, ...bothReplicas() })
  onTestFinished(async () => void (await node.end()))
  await Promise.all([replicaIsUsed(node, promoted), replicaIsUsed(node, second)])
  const [before, meanwhile, after] = [randomUUID(), randomUUID(), randomUUID()]
  await call(node, 'POST', '/users', { id: before })
  await replays(promoted, primary)

  await primary.kill()
  address.moveTo(promoted.connection)
  // The new primary is still a standby, which refuses to write: the node tries again, for 8 s.
  const begunAt = performance.now()
  const write = async () => (await call(node, 'POST', '/users', { id: meanwhile })).status
  const writing = write().then((status) => ({ status, ms: performance.now() - begunAt }))
  await promoted.query('select pg_promote()')
  const { status, ms } = await writing
  // On a busy machine the promotion takes longer. A refusal before would be one without a try.
  expect(status === 200 || ms >= 8_000, `${status} after ${ms} ms`).toBe(true)
  expect(status === 200 ? status : await write()).toBe(200)
  await replicaIsLeftOut(node, promoted)
  const newest = async () => idsOf(await call(node, 'GET', '/users?limit=2&order_by=-created_at'))
  expect(await newest()).toEqual([meanwhile, before])

  await second.follow(promoted)
  await replays(second, promoted)
  await second.query('checkpoint')
  await replicaIsUsed(node, second)
  const { onReplica } = await figures(node, second)
  await call(node, 'POST', '/users', { id: after })
  await eventually('lists are read there', async () => {
    expect(await newest()).toEqual([after, meanwhile])
    return (await figures(node, second)).onReplica > onReplica
  })
})

async function replays(replica: TestPostgres, primary: TestPostgres): Promise<void> {
  const [now] = await primary.query<{ lsn: string }>('select pg_current_wal_lsn() as lsn')
  await eventually('the replica has replayed', async () => {
    const [row] = await replica.query<{ done: boolean }>(`select pg_last_wal_replay_lsn() >= '${now?.lsn}' as done`)
    return row?.done === true
  })
}
