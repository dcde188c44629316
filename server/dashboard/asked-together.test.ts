import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ContentDocument } from '../../contract/content/document.ts'
import { changeInside } from '../../test/support/change-meanwhile.ts'
import { tour } from '../../test/support/content.ts'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { countControlWaits } from '../../test/support/lock-waits.ts'
import { testServices } from '../../test/support/services.ts'
import { commandActor } from '../audit/record.ts'
import type { Right } from '../batches/right.ts'
import { createContents } from '../content/save.ts'
import type { EnvironmentId } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { newId } from '../ids.ts'
import { insertMember, lockMembers } from '../members/queries.ts'
import { removeSegments, saveSegments } from '../segments/works.ts'
import type { Services } from '../services.ts'
import { forgetSessions } from '../sessions/forget.ts'
import type { MemberCaller } from './call.ts'
import { roleRight } from './member-rules.ts'

let test: TestDatabase
let environmentId: EnvironmentId
let accountId: number
let members: string[]
beforeAll(async () => {
  test = await createTestDatabase()
  environmentId = await createEnvironment(test.database)
  const [row] = await test.database.query<{ id: number }>('select account_id as id from environments', [])
  accountId = (row as { id: number }).id
  members = [newId(), newId()].sort()
  for (const id of members) {
    const member = {
      id,
      account_id: accountId,
      email: `${id}@example.com`,
      name: id,
      role: 'owner',
      password: 'x',
    } as const
    await insertMember(test.database, member, new Date().toISOString())
  }
})
afterAll(() => test.close())

const origin = () => ({ actor: commandActor(accountId), environment: 'production' })
const rightOf = (id: string) => roleRight({ session: { id } } as MemberCaller, 'member')

const changes: Record<string, (services: Services, name: string, right: Right) => Promise<unknown>> = {
  'a user': ({ write }, id, right) =>
    write(environmentId, { kind: 'user', id, operations: [], groups: [], prune: false, right }),
  'what is remembered of a user': ({ commits }, userId, right) =>
    commits.submit(forgetSessions, environmentId, { userId, contentId: newId(), right }),
  content: ({ commits }, key, right) =>
    commits.submit(createContents, environmentId, {
      job: { document: tour(key) as ContentDocument },
      ...{ origin: origin(), right },
    }),
  'a segment': ({ commits }, key, right) =>
    commits.submit(saveSegments, environmentId, {
      job: { key, name: key, scope: 'user', condition: { attribute: 'plan', is: 'exists' } },
      ...{ origin: origin(), right },
    }),
  'no segment any more': ({ commits }, key, right) =>
    commits.submit(removeSegments, environmentId, { job: key, origin: origin(), right }),
}

it.each(Object.keys(changes))(
  'members who change %s in one batch, and a change of these members, do not wait for each other',
  async (what) => {
    const services = testServices(test.database, { hasWorkersBeside: true })
    let roles = 0
    let changed: Promise<unknown> | undefined
    const stored = await changeInside(
      test.database,
      (text) => text.includes('from members') && ++roles === 2,
      async () => {
        changed = inTransaction(test.database, (transaction) => lockMembers(transaction, accountId, members))
        changed.catch(() => {})
        await expect.poll(() => countControlWaits(test.database)).toBe(1)
      },
      () => Promise.all(members.toReversed().map((id, index) => changes[what]?.(services, `by-${index}`, rightOf(id)))),
    )
    expect(stored).toHaveLength(2)
    expect(await changed).toHaveLength(2)
  },
)
