import { afterAll, beforeAll, inject, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { killDuringProgress } from './support/progress-kills.ts'

const seed = Date.now() % 1_000_000
const kills = inject('isLong') ? 30 : 1

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(async () => await test.close())

it(`a server that is killed loses no acknowledged progress, doubles no event, and starts no session twice (${kills} kills, seed ${seed})`, async () => {
  await killDuringProgress({ test, seed, kills })
})
