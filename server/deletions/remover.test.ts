import { expect, it, onTestFinished, vi } from 'vitest'
import { createTestDatabase } from '../../test/support/database.ts'
import { createEnvironment } from '../../test/support/environment.ts'
import { silent } from '../../test/support/log.ts'
import type { Database } from '../database/database.ts'
import { newId } from '../ids.ts'
import { Remover } from './remover.ts'

it('a stop does not wait until a failed step is tried again', async () => {
  const query = vi.fn(async () => {
    throw new Error('no')
  })
  const log = { ...silent, warn: vi.fn() }
  const remover = new Remover({ isDistributed: false, query } as Partial<Database> as Database, log)
  remover.start()
  await expect.poll(() => log.warn).toHaveBeenCalledOnce()
  const stopped = vi.fn()
  void remover.stop().then(stopped)
  await expect.poll(() => stopped).toHaveBeenCalledOnce()
  expect(query).toHaveBeenCalledOnce()
})

it('an environment whose step fails again and again holds up no other', async () => {
  const { database, close } = await createTestDatabase()
  onTestFinished(close)
  const [failing, other] = [await createEnvironment(database), await createEnvironment(database)]
  await database.query(
    `insert into pending_deletions (environment_id, owner, owner_id, boundary, requested_at)
     select id, 'user', 'u', $2::uuid, now() from unnest($1::int[]) as id`,
    [[failing, other], newId()],
  )
  const begin = database.begin.bind(database)
  vi.spyOn(database, 'begin').mockImplementation(async (...options) => {
    const transaction = await begin(...options)
    const query = transaction.query.bind(transaction)
    return Object.assign(transaction, {
      query: async (text: string, values: readonly unknown[]) => {
        if (values[0] === failing) throw new Error('no')
        return await query(text, values)
      },
    })
  })
  const warn = vi.fn()
  const remover = new Remover(database, { ...silent, warn })
  onTestFinished(() => remover.stop())
  remover.start()
  const left = async () => {
    const rows = await database.query<{ id: number }>('select environment_id as id from pending_deletions', [])
    return rows.map(({ id }) => id)
  }
  await expect.poll(left).toEqual([failing])
  expect(warn).toHaveBeenCalledOnce()
})
