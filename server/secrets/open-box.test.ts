import { randomBytes } from 'node:crypto'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { temporaryFolder } from '../../test/support/folder.ts'
import { readConfig } from '../settings/config.ts'
import { openSecretBox } from './open-box.ts'

let test: TestDatabase
let dataDir: string
beforeEach(async () => {
  test = await createTestDatabase()
  dataDir = await temporaryFolder()
})
afterEach(async () => {
  await test.close()
  await rm(dataDir, { recursive: true, force: true })
})

const embedded = () => readConfig({ USHER_DATA_DIR: dataDir })
const external = (settings: Record<string, string> = {}) => readConfig({ DATABASE_URL: test.url, ...settings })
const newKey = () => randomBytes(32).toString('hex')

it('the embedded database gets a key in a file that only its user reads, and the same one at every start', async () => {
  const boxes = await Promise.all([1, 2, 3].map(() => openSecretBox(embedded(), test.database)))
  const file = join(dataDir, 'secret.key')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readFile(file, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
  expect(new Set(boxes.map(({ keyId }) => keyId)).size).toBe(1)
  // The setting may take the place of the file.
  const moved = readConfig({ USHER_DATA_DIR: dataDir, USHER_SECRET_KEY: (await readFile(file, 'utf8')).trim() })
  expect((await openSecretBox(moved, test.database)).keyId).toBe(boxes[0]?.keyId)
})

it('a lost key is an error that names it, and no other key takes its place', async () => {
  const { keyId } = await openSecretBox(embedded(), test.database)
  const file = join(dataDir, 'secret.key')
  const text = await readFile(file, 'utf8')
  await rm(file)
  await expect(openSecretBox(embedded(), test.database)).rejects.toThrow(
    `sealed with the key ${keyId}, which is not here: put ${file} back`,
  )
  await expect(stat(file)).rejects.toThrow()
  await writeFile(file, newKey())
  await expect(openSecretBox(embedded(), test.database)).rejects.toThrow(`key ${keyId}, and the key here is`)
  await writeFile(file, 'x')
  await expect(openSecretBox(embedded(), test.database)).rejects.toThrow(`${file} is damaged`)
  await writeFile(file, text)
  expect((await openSecretBox(embedded(), test.database)).keyId).toBe(keyId)
})

it('nodes of one database need the same key, and none may leave it out', async () => {
  expect((await openSecretBox(external(), test.database)).keyId).toBeUndefined()
  const key = newKey()
  const [first, ...others] = await Promise.allSettled(
    [key, newKey(), newKey()].map((one) => openSecretBox(external({ USHER_SECRET_KEY: one }), test.database)),
  )
  const all = [first, ...others]
  expect(all.filter((one) => one?.status === 'fulfilled')).toHaveLength(1)
  for (const one of all)
    if (one?.status === 'rejected') expect(String(one.reason)).toMatch(/set USHER_SECRET_KEY to it, the same on every/)
  await expect(openSecretBox(external(), test.database)).rejects.toThrow('which is not here: set USHER_SECRET_KEY')
  expect(() => readConfig({ USHER_SECRET_KEY: 'short' })).toThrow('openssl rand -hex 32')
})
