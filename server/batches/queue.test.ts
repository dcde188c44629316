import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import {
  createEnvironment,
  createTestDatabase,
  LONGEST_WAIT_MS,
  type TestDatabase,
} from '../../test/support/database.ts'
import { addSubscription, countDeliveries } from '../../test/support/deliveries.ts'
import { serverAddress } from '../../test/support/postgres-proxy.ts'
import { testServices } from '../../test/support/services.ts'
import { parseOperations } from '../attributes/operations.ts'
import { Database, type EnvironmentId } from '../database/database.ts'
import type { NumberedTransaction } from '../database/transaction.ts'
import { ApiError } from '../errors.ts'
import type { Services } from '../services.ts'
import type { TrackEventJob, UpsertUserJob } from '../writes/jobs.ts'

let test: TestDatabase
let environmentId: EnvironmentId

beforeAll(async () => {
  test = await createTestDatabase()
  environmentId = await createEnvironment(test.database)
})
afterAll(() => test.close())

function upsert(id: string, attributes: Record<string, unknown>): UpsertUserJob {
  const operations = parseOperations(attributes as never)
  return {
    kind: 'user',
    id,
    operations,
    groups: [],
    prune: false,
  }
}

function event(name: string): TrackEventJob {
  const time = new Date().toISOString()
  return { kind: 'event', name, userId: 'u', groupId: null, operations: [], time, timeMs: 0 }
}

async function eventIds(name: string): Promise<string[]> {
  const { rows } = await test.database.pool.query(
    'select id from events where environment_id = $1 and name = $2 order by id',
    [environmentId, name],
  )
  return rows.map(({ id }) => id)
}

async function stored(id: string): Promise<Record<string, unknown> | undefined> {
  const { rows } = await test.database.pool.query(
    'select attributes from users where environment_id = $1 and id = $2',
    [environmentId, id],
  )
  return rows[0] && JSON.parse(rows[0].attributes)
}

describe('a batch', () => {
  it('fails a job with a problem alone, whatever else is in the batch', async () => {
    const services = testServices(test.database)
    await services.write(environmentId, upsert('mixed', { text: 'a' }))
    const jobs = Array.from({ length: 21 }, (_, index) =>
      services.write(
        environmentId,
        upsert('mixed', index === 10 ? { n: { add: 1 }, text: { add: 1 } } : { n: { add: 1 } }),
      ),
    )
    const results = await Promise.allSettled(jobs)
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect((results[10] as PromiseRejectedResult).reason).toBeInstanceOf(ApiError)
    expect(await stored('mixed')).toEqual({ text: 'a', n: 20 })
  })

  it('fails a job alone that PostgreSQL refuses', async () => {
    const services = testServices(test.database)
    const results = await Promise.allSettled(
      Array.from({ length: 9 }, (_, index) =>
        services.write(environmentId, upsert(`refused ${index}`, index === 4 ? { x: 'a\0b' } : { x: 1 })),
      ),
    )
    expect(results.map(({ status }) => status).filter((status) => status === 'fulfilled')).toHaveLength(8)
    expect(await stored('refused 4')).toBeUndefined()
    expect(await stored('refused 8')).toEqual({ x: 1 })
  })

  it('waits for the lock of a user only in the job of that user', async () => {
    const services = testServices(test.database)
    await services.write(environmentId, upsert('locked', {}))
    const holder = await test.database.pool.connect()
    await holder.query('begin')
    await holder.query("select from users where environment_id = $1 and id = 'locked' for update", [environmentId])
    const results = await Promise.allSettled(
      ['locked', 'free 1', 'free 2'].map((id) => services.write(environmentId, upsert(id, { x: 1 }))),
    )
    await holder.query('rollback')
    holder.release()
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect((results[0] as PromiseRejectedResult).reason).toMatchObject({ code: '55P03' })
    expect(await stored('free 2')).toEqual({ x: 1 })
  })
})

it.each([
  ['event', () => event('told')],
  ['upsert', () => upsert('told', { n: { add: 1 } })],
])(
  'notifies subscriptions of every %s from creation to deletion, also on a node whose cache is outdated',
  async (_, job) => {
    const services = testServices(test.database)
    const own = await createEnvironment(test.database)
    const deliveriesAfterOne = async () => {
      await services.write(own, job())
      return await countDeliveries(test.database, own)
    }
    expect([await deliveriesAfterOne(), await deliveriesAfterOne()]).toEqual([0, 0])
    await addSubscription(test.database, own, 'http://127.0.0.1:1/')
    expect([await deliveriesAfterOne(), await deliveriesAfterOne()]).toEqual([1, 2])
    await addSubscription(test.database, own, 'http://127.0.0.1:1/')
    expect([await deliveriesAfterOne(), await deliveriesAfterOne()]).toEqual([4, 6])
    await test.database.query('update webhook_subscriptions set disabled = true where environment_id = $1::int', [own])
    expect(await deliveriesAfterOne()).toBe(6)
  },
)

/** A proxy between the service and PostgreSQL that breaks the connection before or after the statement that commits. */
class Breaker {
  readonly #server: Server
  when: 'never' | 'before' | 'after' = 'never'
  commit = { asked: 'commit\0', answered: 'COMMIT' }
  broken = 0

  constructor(target: NetConnectOpts) {
    this.#server = createServer((client) => {
      const postgres = connect(target)
      let swallow = false
      client.on('data', (chunk) => {
        const commits = chunk.includes(this.commit.asked)
        if (commits && this.when === 'before') return this.#break(client, postgres)
        if (commits && this.when === 'after') {
          // Of several commits that are under way, the first to be sent is the one whose answer is lost.
          this.when = 'never'
          swallow = true
        }
        postgres.write(chunk)
      })
      postgres.on('data', (chunk) =>
        swallow && chunk.includes(this.commit.answered) ? this.#break(client, postgres) : client.write(chunk),
      )
      for (const socket of [client, postgres]) socket.on('error', () => {})
      client.on('close', () => postgres.destroy())
      postgres.on('close', () => client.destroy())
    })
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return (this.#server.address() as { port: number }).port
  }

  close(): void {
    this.#server.close()
  }

  #break(...sockets: Socket[]): void {
    this.when = 'never'
    this.broken += 1
    for (const socket of sockets) socket.destroy()
  }
}

describe('a connection that breaks at COMMIT', () => {
  /** It breaks one connection. */
  let breaker: Breaker
  let database: Database
  let services: Services

  beforeAll(async () => {
    breaker = new Breaker(serverAddress(test.connection))
    const address = { host: '127.0.0.1', port: await breaker.listen() }
    const connection = { ...test.connection, ...address, connectionTimeoutMillis: LONGEST_WAIT_MS }
    database = new Database({
      connection,
      connections: 4,
      statementTimeoutMs: LONGEST_WAIT_MS,
      lockTimeoutMs: LONGEST_WAIT_MS,
      isDistributed: test.database.isDistributed,
    })
    services = testServices(database)
    await services.write(environmentId, upsert('exact', { n: 0 }))
  })
  afterAll(async () => {
    await database.close()
    breaker.close()
  })

  it.each(['before', 'after'] as const)(
    '%s it was done counts every add exactly once, and answers all',
    async (when) => {
      const before = (await stored('exact'))?.n as number
      breaker.when = when
      const broken = breaker.broken
      await Promise.all(
        Array.from({ length: 10 }, () => services.write(environmentId, upsert('exact', { n: { add: 1 } }))),
      )
      expect(breaker.broken).toBe(broken + 1)
      expect((await stored('exact'))?.n).toBe(before + 10)
    },
  )

  it.each(['before', 'after'] as const)(
    '%s it was done stores every event exactly once, and answers all',
    async (when) => {
      const name = `broken ${when}`
      await services.write(environmentId, event(name))
      await services.write(environmentId, event(name))
      breaker.when = when
      breaker.commit = { asked: `"name":"${name}"`, answered: 'INSERT 0' }
      const broken = breaker.broken
      const events = Array.from({ length: 10 }, () => event(name))
      const answers = await Promise.all(events.map((job) => services.write(environmentId, job)))
      expect(breaker.broken).toBe(broken + 1)
      const ids = await eventIds(name)
      expect(ids).toHaveLength(12)
      expect(answers.map(({ id }) => id)).toEqual(ids.slice(2))
    },
  )

  it.each(['before', 'after'] as const)(
    '%s it was done counts every add of every environment exactly once',
    async (when) => {
      const environments = [
        environmentId,
        await createEnvironment(test.database),
        await createEnvironment(test.database),
      ]
      await Promise.all(environments.map((id) => services.write(id, upsert('shared', { n: 0 }))))
      breaker.when = when
      breaker.commit = { asked: 'commit\0', answered: 'COMMIT' }
      const broken = breaker.broken
      const add = (id: EnvironmentId) => services.write(id, upsert('shared', { n: { add: 1 } }))
      await Promise.all(environments.flatMap((id) => Array.from({ length: 5 }, () => add(id))))
      expect(breaker.broken).toBe(broken + 1)
      const rows = await test.database.query<{ n: number }>(
        "select (attributes ->> 'n')::int as n from users where environment_id = any($1::int[]) and id = 'shared'",
        [environments],
      )
      expect(rows).toEqual(Array(3).fill({ n: 5 }))
    },
  )

  it.each(['before', 'after'] as const)(
    '%s it was done stores every event of every environment exactly once',
    async (when) => {
      const name = `broken for all ${when}`
      const environments = [environmentId, await createEnvironment(test.database)]
      const track = () => Promise.all(environments.map((id) => services.write(id, event(name))))
      await track()
      await track()
      breaker.when = when
      breaker.commit = { asked: `"name":"${name}"`, answered: 'INSERT 0' }
      const broken = breaker.broken
      const answers = (await Promise.all([track(), track(), track()])).flat()
      expect(breaker.broken).toBe(broken + 1)
      const rows = await test.database.query<{ environment_id: EnvironmentId; id: string }>(
        'select environment_id, id from events where environment_id = any($1::int[]) and name = $2::text order by id',
        [environments, name],
      )
      expect(rows).toHaveLength(10)
      const stored = new Set(rows.slice(4).map((row) => row.id))
      expect(new Set(answers.map(({ id }) => id))).toEqual(stored)
    },
  )

  it.skipIf(inject('cluster').isDistributed)(
    'in a crash of PostgreSQL or before a failover has an unknown outcome: the numbers of lost transactions are used again',
    async () => {
      const transaction = await database.begin()
      transaction.start()
      const id = (await transaction.id) as NumberedTransaction
      await transaction.commit()
      expect(await database.outcome(id)).toBe('committed')
      expect(await database.outcome({ ...id, begunAt: '2020-01-01T00:00:00Z' })).toBe('forgotten')
      expect(await database.outcome({ ...id, timeline: '0000FFFF' })).toBe('forgotten')
    },
  )
})
