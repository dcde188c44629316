import { expect, it, vi } from 'vitest'
import { silent } from '../../test/support/log.ts'
import type { Database } from '../database/database.ts'
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
