import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { countControlWaits } from '../../test/support/lock-waits.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { newId } from '../ids.ts'
import { deleteMember, insertMember, lockMembers } from './queries.ts'
import { insertSession, touchSession } from './session-queries.ts'

const AT = '2026-01-01T00:00:00.000Z'
const LATER = '2026-01-01T00:10:00.000Z'

let test: TestDatabase
let accountId: number
beforeAll(async () => {
  test = await createTestDatabase()
  await createEnvironment(test.database)
  const [row] = await test.database.query<{ id: number }>('select id from accounts', [])
  accountId = (row as { id: number }).id
})
afterAll(() => test.close())

async function memberWithSession(): Promise<{ id: string; tokenHash: Buffer }> {
  const id = newId()
  const tokenHash = createHash('sha256').update(id).digest()
  const person = { email: `${id}@example.com`, name: 'Ada', role: 'member', password: 'x' } as const
  await insertMember(test.database, { id, account_id: accountId, ...person }, AT)
  await insertSession(test.database, { tokenHash, memberId: id, at: AT, expiresAt: LATER })
  return { id, tokenHash }
}

async function timesOf(id: string): Promise<unknown[]> {
  return await test.database.query(
    'select last_active_at, used_at from member_sessions join members on members.id = member_id where member_id = $1::uuid',
    [id],
  )
}

it('the use of a session is written to it and to its member, and to no other', async () => {
  const [{ id, tokenHash }, other] = [await memberWithSession(), await memberWithSession()]
  await touchSession(test.database, tokenHash, LATER)
  expect(await timesOf(id)).toEqual([{ last_active_at: LATER, used_at: LATER }])
  expect(await timesOf(other.id)).toEqual([{ last_active_at: null, used_at: AT }])
})

it('a request of a member who is being removed and the removal do not wait for each other', async () => {
  const { id, tokenHash } = await memberWithSession()
  let touched: Promise<void> | undefined
  await inTransaction(test.database, async (transaction) => {
    await lockMembers(transaction, accountId, [id])
    touched = touchSession(test.database, tokenHash, LATER)
    touched.catch(() => {})
    await expect.poll(() => countControlWaits(test.database)).toBe(1)
    await deleteMember(transaction, id)
  })
  await touched
  expect(await timesOf(id)).toEqual([])
})
