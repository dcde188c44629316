import { expect, it, onTestFinished, vi } from 'vitest'
import { createEnvironment, createTestDatabase } from '../../test/support/database.ts'
import { silent } from '../../test/support/log.ts'
import { leastIdAt } from '../ids.ts'
import { Housekeeping } from './housekeeping.ts'
import { setKeptDays } from './kept-days.ts'

it('an environment that cannot be tidied holds up neither another one nor other work', async () => {
  const { database, close } = await createTestDatabase()
  onTestFinished(close)
  const [deleted, failing, other] = [
    await createEnvironment(database),
    await createEnvironment(database),
    await createEnvironment(database),
  ]
  for (const id of [failing, other]) {
    await setKeptDays(database, id, 'keep_events_days', 1)
    await database.query(
      `insert into events (environment_id, id, name, user_id, attributes, time, created_at)
       values ($1::int, $2::uuid, 'old', 'u', '{}', now() - interval '9 days', now() - interval '9 days')`,
      [id, leastIdAt(Date.now() - 9 * 86_400_000)],
    )
    await database.query(
      `insert into counts (environment_id, kind, step, at, name, count, last_at)
       values ($1::int, 'request', 'day', now() - interval '9000 days', 'old', 1, now())`,
      [id],
    )
  }
  await database.query(`update environments set deleted_at = now() - interval '1 day' where id = $1::int`, [deleted])
  const isRefused = (values: readonly unknown[]) => values[0] === failing || values[0] === deleted
  const query = database.query.bind(database)
  vi.spyOn(database, 'query').mockImplementation(async (text: string, values: readonly unknown[]) => {
    if (isRefused(values)) throw new Error('no')
    return await query(text, values)
  })
  vi.spyOn(database, 'begin').mockRejectedValue(new Error('no'))
  const warn = vi.fn()
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const housekeeping = new Housekeeping(database, { ...silent, warn })
  housekeeping.start()
  vi.advanceTimersByTime(5_000)
  await housekeeping.stop()
  const left = async (table: string) =>
    (await query<{ id: number }>(`select environment_id as id from ${table} where environment_id > 0`, [])).map(
      ({ id }) => id,
    )
  expect(await left('events')).toEqual([failing])
  expect(await left('counts')).toEqual([failing])
  expect(warn).toHaveBeenCalled()
})
