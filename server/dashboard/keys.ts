import type { Key } from '../../contract/dashboard/keys.ts'
import { changeControl } from '../accounts/change.ts'
import { createKey } from '../accounts/create.ts'
import { lockPresentEnvironment } from '../accounts/environment-queries.ts'
import { type EnvironmentKey, findKeyOf, listKeysOf, renameKey, revokeKey, shownKey } from '../accounts/key-queries.ts'
import { record } from '../audit/record.ts'
import type { EnvironmentId, OpenTransaction, Queryable } from '../database/database.ts'
import { errors } from '../errors.ts'
import { actorOf, type DashboardHandlers, type MemberCaller } from './call.ts'
import { confirmRole } from './member-rules.ts'
import type { DashboardParts } from './parts.ts'

interface ChangingCall {
  grant: MemberCaller
  environment: { id: EnvironmentId; slug: string }
}

type Names = 'listKeys' | 'createKey' | 'renameKey' | 'revokeKey'

/** API keys. A key is shown once, by the answer to its creation. */
export function keyHandlers({ services: { database } }: DashboardParts): Pick<DashboardHandlers, Names> {
  /** One after the other in an environment: the log has the name that a key had. */
  const change = <T>({ grant, environment }: ChangingCall, run: (transaction: OpenTransaction) => Promise<T>) =>
    changeControl(database, async (transaction) => {
      await confirmRole(transaction, grant, 'admin')
      await lockPresentEnvironment(transaction, environment.id, environment.slug)
      return await run(transaction)
    })

  return {
    listKeys: async ({ environment }) => ({ data: (await listKeysOf(database, environment.id)).map(keyOutput) }),

    createKey: async (call) => {
      const { environment, grant } = call
      const name = call.body.name.trim()
      return await change(call, async (transaction) => {
        const given = { name, createdBy: grant.session.name }
        const { id, key } = await createKey(transaction, environment.id, new Date().toISOString(), given)
        const created = await findKey(transaction, environment.id, String(id))
        await record(transaction, actorOf(call), {
          action: 'key.created',
          target: { id: created.id, name },
          environment: environment.slug,
          after: { name, key: shownKey(created) },
        })
        return { ...keyOutput(created), key }
      })
    },

    renameKey: async (call) => {
      const { environment, params } = call
      const name = call.body.name.trim()
      return await change(call, async (transaction) => {
        const key = await findKey(transaction, environment.id, params.key_id)
        await renameKey(transaction, environment.id, key.id, name)
        await record(transaction, actorOf(call), {
          action: 'key.renamed',
          target: { id: key.id, name },
          environment: environment.slug,
          before: { name: key.name },
          after: { name },
        })
        return keyOutput({ ...key, name })
      })
    },

    revokeKey: async (call) => {
      const { environment, params } = call
      return await change(call, async (transaction) => {
        const key = await findKey(transaction, environment.id, params.key_id)
        const revoked = await revokeKey(transaction, key.id, new Date().toISOString())
        if (revoked) {
          await record(transaction, actorOf(call), {
            action: 'key.revoked',
            target: { id: key.id, name: key.name },
            environment: environment.slug,
            before: { key: shownKey(key), last_used_at: key.last_used_at },
          })
        }
        return keyOutput(await findKey(transaction, environment.id, params.key_id))
      })
    },
  }
}

async function findKey(db: Queryable, environmentId: EnvironmentId, text: string): Promise<EnvironmentKey> {
  const id = /^\d{1,9}$/.test(text) ? Number(text) : undefined
  const key = id === undefined ? undefined : await findKeyOf(db, environmentId, id)
  if (!key) throw errors.gone('Key', text)
  return key
}

function keyOutput(key: EnvironmentKey): Key {
  const { id, name, created_by, created_at, last_used_at, revoked_at } = key
  return { id, name, shown: shownKey(key), created_by, created_at, last_used_at, revoked_at }
}
