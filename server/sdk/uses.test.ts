import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { countLockWaits } from '../../test/support/lock-waits.ts'
import { newId } from '../ids.ts'
import { insertSecret, recordSecretUses } from './secret-queries.ts'
import { insertToken, recordTokenUses } from './token-queries.ts'

const AT = '2026-01-01T00:00:00Z'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

/** What another node does meanwhile: it uses the first of the two, and then the second. PostgreSQL ends one of two that wait for each other. */
async function usedInOrder(table: string, [first, second]: readonly [unknown, unknown], store: () => Promise<void>) {
  const other = await test.database.pool.connect()
  const use = async (id: unknown) => await other.query(`update ${table} set last_used_at = now() where id = $1`, [id])
  await other.query('begin')
  await use(first)
  const stored = store().then(
    () => 'stored',
    (error) => String(error),
  )
  await expect.poll(() => countLockWaits(test.database)).toBe(1)
  const used = await use(second).then(
    () => 'used',
    (error) => String(error),
  )
  await other.query('commit')
  other.release()
  return [await stored, used]
}

it('stores the uses of tokens and secrets in the order of their ids: two nodes do not wait for each other', async () => {
  const { database } = test
  const environmentId = await createEnvironment(database)
  const tokens = [
    (await insertToken(database, environmentId, 'pk_1', 'Web', null, AT)).id,
    (await insertToken(database, environmentId, 'pk_2', 'Web', null, AT)).id,
  ] as const
  const tokenUses = new Map(tokens.toReversed().map((id) => [id, Date.now()]))
  expect(await usedInOrder('public_tokens', tokens, () => recordTokenUses(database, tokenUses))).toEqual([
    'stored',
    'used',
  ])
  const secrets = [newId(), newId()] as const
  for (const id of secrets)
    await insertSecret(database, environmentId, { id, sealed: 'x', lastFour: 'x', createdBy: null, at: AT })
  const secretUses = secrets.toReversed().map((id) => ({ environmentId, id, ms: Date.now() }))
  expect(await usedInOrder('identity_secrets', secrets, () => recordSecretUses(database, secretUses))).toEqual([
    'stored',
    'used',
  ])
})
