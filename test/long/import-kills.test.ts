import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, it } from 'vitest'
import { usherJson } from '../support/command.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { killImports } from '../support/import-kills.ts'
import { spawnServer } from '../support/process.ts'

let folder: string
let test: TestDatabase

beforeAll(async () => {
  folder = await temporaryFolder()
  test = await createTestDatabase()
  // The account is made by the first start.
  await (await spawnServer({ DATABASE_URL: test.url })).end()
})
afterAll(async () => {
  await test.close()
  await rm(folder, { recursive: true, force: true })
})

it.each([
  ['events', 80_000],
  ['users', 32_000],
] as const)('an import of %s that is killed 20 times stores every line exactly once', async (kind, lines) => {
  const environment = `Killed ${kind}`
  await usherJson(['environments', 'create', environment], { DATABASE_URL: test.url })
  await killImports({ kind, lines, kills: 20, environment, folder, test })
})
