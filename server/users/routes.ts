import type { ListUsersQuery } from '../../contract/queries.ts'
import type { UpsertUser } from '../../contract/requests/objects.ts'
import type { ApiHandlers } from '../api.ts'
import { parseOperations } from '../attributes/operations.ts'
import { errors } from '../errors.ts'
import { parseExpand } from '../expand/paths.ts'
import { checkExpansion, expander } from '../expand/written.ts'
import type { ListSource } from '../lists/source.ts'
import { renderDeleted } from '../objects/render.ts'
import { emailKey, users } from '../objects/tables.ts'
import { getObject } from '../reads/get.ts'
import { answerList, memberSource, objectSource } from '../reads/lists.ts'
import { answerMembers } from '../segments/members.ts'
import type { Services } from '../services.ts'
import { answerWrite, earlierAnswerOf } from '../writes/answer-write.ts'
import type { UpsertUserJob } from '../writes/jobs.ts'
import { exportUser } from './export.ts'
import { groupsOf, writesGroups } from './group-parts.ts'

export function userHandlers(services: Services) {
  return {
    upsertUser: async (call) => {
      const { grant, body, query, notify, exchange } = call
      const tree = parseExpand('user', query.expand, body.expand)
      if (!grant.plan.groups && writesGroups(body)) throw errors.groupsNotAvailable(grant.planName)
      const job = userJob(body, notify, exchange.id)
      const show = expander(services.database, grant.environmentId, 'user', tree)
      if (tree.size > 0) {
        const earlier = await earlierAnswerOf(services, call, show)
        if (earlier) return earlier
        const joined = { userId: job.id, groupIds: job.groups.map(({ id }) => id), prune: job.prune }
        await checkExpansion(services.database, grant.environmentId, 'user', tree, { userId: job.id }, joined)
      }
      return await answerWrite(services, services.writes, call, job, ({ json }) => json, show)
    },

    getUser: async ({ grant, params, query }) =>
      await getObject(services, grant.environmentId, users, params.user_id, parseExpand('user', query.expand)),

    deleteUser: async (call) => {
      const { user_id: id } = call.params
      return await answerWrite(services, services.removals, call, { kind: 'remove_user', id }, () =>
        renderDeleted('user', id),
      )
    },

    exportUser: async ({ grant, params }) => ({
      body: await exportUser(services.database, grant.environmentId, params.user_id),
    }),

    listUsers: async ({ grant, query, address }) => {
      const { segment, email, group_id } = query
      if (segment === undefined)
        return await answerList(services, grant.environmentId, users, listSource(query), query, address())
      if (email !== undefined || group_id !== undefined)
        throw errors.invalidParams(['segment: does not go with email and group_id; put them into the segment'])
      return await answerMembers(services, grant.environmentId, users, segment, query, address())
    },
  } satisfies Partial<ApiHandlers>
}

function listSource({ email, group_id }: ListUsersQuery): ListSource {
  const source = group_id === undefined ? objectSource(users) : memberSource(users, 'user_id', 'group_id', group_id)
  return email === undefined ? source : emailSource(source, email)
}

/** Exactly this address: the key finds the candidates, the full value is compared. */
export function emailSource(source: ListSource, email: string): ListSource {
  const first = source.values.length + 2
  return {
    ...source,
    where: [
      ...source.where,
      `object.email_key = $${first}::text`,
      `object.attributes -> 'email' = to_jsonb($${first + 1}::text)`,
    ],
    values: [...source.values, emailKey(email), email],
    filtered: true,
  }
}

export function userJob(body: UpsertUser, notify: boolean, requestId?: string): UpsertUserJob {
  return {
    kind: 'user',
    id: body.id,
    operations: parseOperations(body.attributes),
    groups: groupsOf(body),
    prune: body.prune_memberships === true,
    notify,
    requestId,
  }
}
