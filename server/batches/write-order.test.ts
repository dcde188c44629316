import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { testServices } from '../../test/support/services.ts'
import { parseOperations } from '../attributes/operations.ts'
import type { EnvironmentId } from '../database/database.ts'
import { submitOnce } from '../idempotency/run-once.ts'
import { tuning } from '../tuning.ts'
import type { TrackEventJob, UpsertUserJob } from '../writes/jobs.ts'

/** The last write of a user is in another transaction than its first, and a third transaction follows. */
const LAST = 2 * tuning.mostJobs - 1
const JOBS = LAST + 11
const isOfUser = (index: number) => index === LAST || (index < LAST && index % 50 === 0)

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
  if (!test.database.isDistributed) await test.database.pool.query(FAULTS)
})
afterAll(() => test.close())

/**
 * A trigger fails the writes of the user or the event `faulty` with the state that `faults` says, as often as it says. One
 * that is deferred fails the COMMIT of them. Citus has no triggers on distributed tables.
 */
const FAULTS = `
  create table faults (table_name text, state text, times int, is_deferred boolean);
  create sequence faults_done;
  create function fail_faulty() returns trigger language plpgsql as $$
  declare fault record;
  begin
    select * into fault from faults where table_name = tg_table_name and is_deferred = (tg_argv[0] = 'deferred');
    if not found or nextval('faults_done') > fault.times then return new; end if;
    if fault.state = 'kill' then perform pg_terminate_backend(pg_backend_pid()); return new; end if;
    raise exception 'a fault of the test' using errcode = fault.state;
  end $$;
  create trigger at_statement after insert or update on users for each row
    when (new.id = 'faulty') execute function fail_faulty('statement');
  create constraint trigger at_commit after insert or update on users deferrable initially deferred for each row
    when (new.id = 'faulty') execute function fail_faulty('deferred');
  create trigger at_event after insert on events for each row
    when (new.user_id = 'faulty') execute function fail_faulty('statement');
  create constraint trigger at_event_commit after insert on events deferrable initially deferred for each row
    when (new.user_id = 'faulty') execute function fail_faulty('deferred');`

async function failWrites(table: 'users' | 'events', state: string, at: string): Promise<void> {
  await test.database.pool.query('delete from faults')
  await test.database.pool.query(`select setval('faults_done', 1, false)`)
  await test.database.pool.query('insert into faults values ($1, $2, 1, $3)', [table, state, at === 'COMMIT'])
}

function upsert(id: string, attributes: Record<string, unknown>): UpsertUserJob {
  return { kind: 'user', id, operations: parseOperations(attributes as never), groups: [], prune: false }
}

function event(userId: string, n: number): TrackEventJob {
  const time = new Date().toISOString()
  return {
    ...{ kind: 'event', name: 'ordered', userId, groupId: null, time, timeMs: Date.parse(time) },
    operations: parseOperations({ n } as never),
  }
}

async function attributesOf(environmentId: EnvironmentId, id: string): Promise<Record<string, unknown>> {
  const { rows } = await test.database.pool.query(
    'select attributes from users where environment_id = $1 and id = $2',
    [environmentId, id],
  )
  return JSON.parse(rows[0]?.attributes ?? '{}')
}

const faults = ['40P01', '55P03', 'kill'].flatMap((state) => [
  [state, 'a statement'],
  [state, 'COMMIT'],
])
const onOnePostgres = it.skipIf(inject('cluster').isDistributed)

onOnePostgres.each(faults)(
  'writes of one user keep their order over transactions when %s fails %s',
  async (state, at) => {
    const services = testServices(test.database)
    const environmentId = await createEnvironment(test.database)
    const write = (job: UpsertUserJob) => services.write(environmentId, job)
    await Promise.all([write(upsert('faulty', { v: 0, n: 0 })), write(upsert('u', { v: 0, n: 0 }))])
    await failWrites('users', state as string, at as string)
    const jobs = Array.from({ length: JOBS }, (_, index) => {
      const id = index === 5 ? 'faulty' : isOfUser(index) ? 'u' : `other ${index % 7}`
      return write(upsert(id, { v: index, n: { add: 1 } }))
    })
    await Promise.all(jobs)
    expect(await attributesOf(environmentId, 'u')).toEqual({ v: LAST, n: Math.ceil(LAST / 50) + 1 })
    expect(await attributesOf(environmentId, 'faulty')).toEqual({ v: 5, n: 1 })
  },
)

onOnePostgres.each(faults)('events keep their order over transactions when %s fails %s', async (state, at) => {
  const services = testServices(test.database)
  const environmentId = await createEnvironment(test.database)
  for (const n of [-2, -1]) await services.write(environmentId, event('u', n))
  await failWrites('events', state as string, at as string)
  const numbers = Array.from({ length: JOBS }, (_, index) => index)
  await Promise.all(numbers.map((n) => services.write(environmentId, event(n === 5 ? 'faulty' : 'u', n))))
  const { rows } = await test.database.pool.query(
    `select (attributes ->> 'n')::int as n from events where environment_id = $1 order by created_at, id`,
    [environmentId],
  )
  expect(rows.map(({ n }) => n).join()).toBe([-2, -1, ...numbers].join())
})

it('writes of one user keep their order over transactions when a key between them was used before', async () => {
  const services = testServices(test.database)
  const environmentId = await createEnvironment(test.database)
  const write = (job: UpsertUserJob) => services.write(environmentId, job)
  const once = { key: 'used', fingerprint: '00'.repeat(32), answer: () => '{}' }
  const repeat = () =>
    submitOnce(services.commits, services.writes, environmentId, upsert('keyed', { n: { add: 1 } }), once)
  await Promise.all([write(upsert('u', { v: 0 })), repeat()])
  for (let round = 0; round < 5; round += 1) {
    const jobs = Array.from({ length: JOBS }, (_, index) =>
      index === 20 ? repeat() : write(upsert(isOfUser(index) ? 'u' : 'other', { v: index })),
    )
    await Promise.all(jobs)
    expect(await attributesOf(environmentId, 'u')).toEqual({ v: LAST })
  }
  expect(await attributesOf(environmentId, 'keyed')).toEqual({ n: 1 })
})

it('a job whose transaction could not begin in time is refused, and is not stored', async () => {
  const services = testServices(test.database, { mostWaitMs: -1 })
  const environmentId = await createEnvironment(test.database)
  await expect(services.write(environmentId, upsert('late', { v: 1 }))).rejects.toMatchObject({ status: 503 })
  expect(await attributesOf(environmentId, 'late')).toEqual({})
})
