import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { insertEnvironment } from '../server/accounts/environment-queries.ts'
import { readPublishedFigures } from '../server/content/figures.ts'
import { countFailingEndpoints } from '../server/dashboard/system/queries.ts'
import type { EnvironmentId } from '../server/database/database.ts'
import { type TableSize, tableSizes } from '../server/database/table-sizes.ts'
import { askWorkers } from '../server/database/workers.ts'
import { findEnvironmentsWithDeletions } from '../server/deletions/pending.ts'
import { Metrics } from '../server/metrics/metrics.ts'
import { ReadinessCheck } from '../server/process/readiness.ts'
import { sumRuns } from '../server/results/sum.ts'
import { measureBacklog } from '../server/webhooks/backlog.ts'
import { CitusStandIn, EVEN_WORKER, ODD_WORKER } from './support/citus-stand-in.ts'
import { createEnvironment, createTestDatabase, type TestDatabase } from './support/database.ts'
import { addNotifications, addSubscription } from './support/deliveries.ts'

/** `test/cluster.test.ts` asks a real cluster. */
describe.skipIf(inject('cluster').isDistributed)('while a worker of a cluster is down', () => {
  let test: TestDatabase
  let cluster: CitusStandIn
  let environments: EnvironmentId[]

  beforeAll(async () => {
    test = await createTestDatabase()
    environments = []
    for (let waiting = 1; waiting <= 4; waiting += 1) {
      const id = await createEnvironment(test.database)
      const subscription = await addSubscription(test.database, id, 'https://hook.example/')
      await addNotifications(test.database, id, [subscription], waiting, Date.now() - waiting * 1_000)
      environments.push(id)
    }
    cluster = await CitusStandIn.open(test)
  })
  afterAll(async () => {
    await cluster.close()
    await test.close()
  })

  const check = async () => {
    const idle = { commits: { depth: 0 }, concurrency: { waiting: 0 } }
    return await new ReadinessCheck({ database: cluster, ...idle }).check()
  }
  const scrape = async () => {
    const idle = { active: 0, waiting: 0, refusals: 0 }
    const metrics = new Metrics(
      { pool: cluster.pool, commits: { depth: 0 }, rateLimiter: idle, concurrency: idle },
      '1.0.0',
    )
    metrics.watchWorkers(() => askWorkers(cluster))
    metrics.watchTables(() => cluster.query<TableSize>(tableSizes(true), []))
    metrics.watchGuidance(() => readPublishedFigures(cluster))
    metrics.watchWebhooks({ delivery: () => undefined as never, backlog: () => measureBacklog(cluster) })
    return (await metrics.scrape()).text.split('\n')
  }

  it('before that everything is ok, and everything is counted', async () => {
    expect(await check()).toMatchObject({ ready: true, status: 'ok', checks: { workers: 'ok' } })
    expect(await measureBacklog(cluster)).toMatchObject({ waiting: 10, unreachable: [] })
    expect(await scrape()).toEqual(
      expect.arrayContaining([
        `usher_cluster_worker_up{worker="${EVEN_WORKER}"} 1`,
        'usher_webhook_deliveries_waiting 10',
        'usher_table_bytes{table="users"} 2000',
      ]),
    )
  })

  it('new environments go to the worker that has the fewest', async () => {
    const [account] = await test.database.query<{ id: number }>('select min(id) as id from accounts', [])
    const added = []
    for (let n = 0; n < 6; n += 1)
      added.push(await insertEnvironment(cluster, account?.id as number, `Spread ${n}`, new Date().toISOString()))
    expect(added.filter((id) => Number(id) % 2 === 0)).toHaveLength(3)
  })

  it('/readyz names it and stays ready, because every other environment is served', async () => {
    await cluster.stopEvenWorker()
    expect(await check()).toEqual({
      ready: true,
      status: 'degraded',
      checks: {
        database: 'ok',
        migrations: 'ok',
        workers: `${EVEN_WORKER} does not answer: its environments get 503`,
        queue: 'ok',
        process: 'ok',
      },
    })
  })

  it('the metrics name it, and keep the backlog and the sizes of the rest', async () => {
    await cluster.stopEvenWorker()
    const odd = environments.map((id, index) => (id % 2 === 1 ? index + 1 : 0)).reduce((sum, n) => sum + n, 0)
    expect(await measureBacklog(cluster)).toMatchObject({ waiting: odd, unreachable: [EVEN_WORKER] })
    expect(await countFailingEndpoints(cluster, environments)).toBe(0)
    expect(await scrape()).toEqual(
      expect.arrayContaining([
        `usher_cluster_worker_up{worker="${ODD_WORKER}"} 1`,
        `usher_cluster_worker_up{worker="${EVEN_WORKER}"} 0`,
        `usher_webhook_deliveries_waiting ${odd}`,
        expect.stringMatching(/^usher_webhook_oldest_undelivered_seconds [1-9]/),
        'usher_webhook_endpoints_down 0',
        'usher_content_published 0',
        'usher_table_bytes{table="users"} 1000',
        expect.stringMatching(/^usher_table_bytes\{table="accounts"\} \d+$/),
      ]),
    )
  })

  it('what is left over of deletions is removed, and runs are summed, in the environments of the other workers', async () => {
    for (const id of environments) {
      await test.database.query(
        `insert into pending_deletions (environment_id, owner, owner_id, boundary, requested_at)
         values ($1::int, 'user', 'u', gen_random_uuid(), now())`,
        [id],
      )
      await test.database.query('insert into guidance (environment_id) values ($1::int)', [id])
    }
    await cluster.stopEvenWorker()
    expect(await findEnvironmentsWithDeletions(cluster)).toEqual(environments.filter((id) => id % 2 === 1))
    expect(await sumRuns(cluster)).toBe(0)
  })
})
