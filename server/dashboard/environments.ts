import type { Environment } from '../../contract/dashboard/environments.ts'
import { changeControl } from '../accounts/change.ts'
import { createEnvironment } from '../accounts/create.ts'
import {
  type AccountEnvironment,
  findEnvironmentBySlug,
  listEnvironmentsOf,
  lockEnvironment,
  lockPresentEnvironment,
  markEnvironmentDeleted,
  renameEnvironment,
  revokeKeysOf,
} from '../accounts/environment-queries.ts'
import { lockAccount } from '../accounts/queries.ts'
import { record } from '../audit/record.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { copyDescriptions } from '../definitions/copy.ts'
import { errors } from '../errors.ts'
import { actorOf, type DashboardHandlers, DONE } from './call.ts'
import { confirmRole } from './member-rules.ts'
import type { DashboardParts } from './parts.ts'

type Names = 'listEnvironments' | 'createEnvironment' | 'renameEnvironment' | 'deleteEnvironment' | 'copyDescriptions'

export function environmentHandlers({ services: { database } }: DashboardParts): Pick<DashboardHandlers, Names> {
  return {
    listEnvironments: async ({ grant }) => {
      const environments = await listEnvironmentsOf(database, grant.accountId)
      return { data: environments.map(environmentOutput) }
    },

    createEnvironment: async (call) => {
      const { accountId } = call.grant
      const name = call.body.name.trim()
      return await changeControl(database, async (transaction) => {
        await lockAccount(transaction, accountId)
        await confirmRole(transaction, call.grant, 'admin')
        const id = await createEnvironment(transaction, accountId, name, new Date().toISOString())
        if (id === undefined) throw nameTaken(name)
        await record(transaction, actorOf(call), { action: 'environment.created', target: { id, name } })
        // After the transaction somebody else may have deleted it.
        const environments = await listEnvironmentsOf(transaction, accountId)
        return environmentOutput(environments.find((environment) => environment.id === id) as AccountEnvironment)
      })
    },

    renameEnvironment: async (call) => {
      const { environment, grant } = call
      const name = call.body.name.trim()
      await changeControl(database, async (transaction) => {
        await confirmRole(transaction, grant, 'admin')
        const before = await lockPresentEnvironment(transaction, environment.id, environment.slug)
        if (!(await renameEnvironment(transaction, grant.accountId, environment.id, name))) throw nameTaken(name)
        await record(transaction, actorOf(call), {
          action: 'environment.renamed',
          target: { id: environment.id, name },
          environment: environment.slug,
          before: { name: before },
          after: { name },
        })
      })
      return environmentOutput({ ...environment, name })
    },

    deleteEnvironment: async (call) => {
      const { environment, grant, query } = call
      await changeControl(database, async (transaction) => {
        await lockAccount(transaction, grant.accountId)
        await confirmRole(transaction, grant, 'owner')
        const name = await lockEnvironment(transaction, environment.id)
        if (name === undefined) return
        if (query.name !== name) throw errors.invalidParams([`name: must be ${name}`])
        const others = await listEnvironmentsOf(transaction, grant.accountId)
        if (others.length < 2) throw errors.conflict('The last environment of an account cannot be deleted.')
        await markEnvironmentDeleted(transaction, environment.id)
        await revokeKeysOf(transaction, environment.id, new Date().toISOString())
        await record(transaction, actorOf(call), {
          action: 'environment.deleted',
          target: { id: environment.id, name },
          environment: environment.slug,
        })
      })
      return DONE
    },

    copyDescriptions: async (call) => {
      const { environment, grant, body } = call
      const source = await findEnvironmentBySlug(database, grant.accountId, body.from)
      if (!source) throw errors.gone('Environment', body.from.slice(0, 100))
      return await inTransaction(database, async (transaction) => {
        await confirmRole(transaction, grant, 'admin')
        const copied = await copyDescriptions(transaction, source.id, environment.id)
        await record(transaction, actorOf(call), {
          action: 'definition.copied',
          target: { id: environment.id, name: environment.name },
          environment: environment.slug,
          after: { from: source.slug, ...copied },
        })
        return copied
      })
    },
  }
}

function nameTaken(name: string) {
  return errors.conflict(`There is an environment ${name} already. Choose another name.`)
}

export function environmentOutput({ id: _, ...environment }: AccountEnvironment): Environment {
  return environment
}
