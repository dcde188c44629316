import { existsSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { StartupError } from '../startup-error.ts'
import { cannotWrite } from './cannot-write.ts'

const failureOf = async (work: Promise<unknown>) => cannotWrite('/backups/one', await work.catch((error) => error))

it.skipIf(!existsSync('/dev/full'))(
  'names the file when the disk is full, which the error of a write does not',
  async () => {
    const full = await open('/dev/full', 'w')
    const failure = await failureOf(full.writeFile('x').finally(() => full.close()))
    expect(failure).toBeInstanceOf(StartupError)
    expect((failure as Error).message).toBe('/backups/one cannot be written: no space left on device.')
  },
)

it('names the file when it cannot be made, and leaves errors of other things as they are', async () => {
  expect(await failureOf(writeFile('/nowhere/one', 'x'))).toEqual(
    new StartupError('/backups/one cannot be written: no such file or directory.'),
  )
  const other = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' })
  expect(cannotWrite('/backups/one', other)).toBe(other)
})
