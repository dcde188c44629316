import type { ApiHandlers } from '../api.ts'
import { parseOperations } from '../attributes/operations.ts'
import { errors } from '../errors.ts'
import { parseExpand } from '../expand/paths.ts'
import { checkExpansion, expander } from '../expand/written.ts'
import { membershipId } from '../ids.ts'
import { renderDeleted } from '../objects/render.ts'
import { groups } from '../objects/tables.ts'
import { getObject } from '../reads/get.ts'
import { answerList, memberSource, objectSource } from '../reads/lists.ts'
import { answerMembers } from '../segments/members.ts'
import type { Services } from '../services.ts'
import { answerWrite, earlierAnswerOf } from '../writes/answer-write.ts'

export function groupHandlers(services: Services) {
  return {
    upsertGroup: async (call) => {
      const { grant, body, query, exchange } = call
      const tree = parseExpand('group', query.expand, body.expand)
      if (!grant.plan.groups) throw errors.groupsNotAvailable(grant.planName)
      const job = {
        kind: 'group',
        id: body.id,
        operations: parseOperations(body.attributes),
        requestId: exchange.id,
      } as const
      const show = expander(services.database, grant.environmentId, 'group', tree)
      if (tree.size > 0) {
        const earlier = await earlierAnswerOf(services, call, show)
        if (earlier) return earlier
        await checkExpansion(services.database, grant.environmentId, 'group', tree, { groupId: job.id })
      }
      return await answerWrite(services, services.writes, call, job, ({ json }) => json, show)
    },

    getGroup: async ({ grant, params, query }) =>
      await getObject(services, grant.environmentId, groups, params.group_id, parseExpand('group', query.expand)),

    deleteGroup: async (call) => {
      const { group_id: id } = call.params
      return await answerWrite(services, services.removals, call, { kind: 'remove_group', id }, () =>
        renderDeleted('group', id),
      )
    },

    listGroups: async ({ grant, query, address }) => {
      if (query.segment !== undefined) {
        if (query.user_id !== undefined)
          throw errors.invalidParams(['segment: does not go with user_id; put it into the segment'])
        return await answerMembers(services, grant.environmentId, groups, query.segment, query, address())
      }
      const source =
        query.user_id === undefined ? objectSource(groups) : memberSource(groups, 'group_id', 'user_id', query.user_id)
      return await answerList(services, grant.environmentId, groups, source, query, address())
    },

    removeMembership: async (call) => {
      const { user_id, group_id } = call.query
      const job = { kind: 'remove_membership', userId: user_id, groupId: group_id } as const
      const id = membershipId(call.grant.environmentId, user_id, group_id)
      return await answerWrite(services, services.removals, call, job, () => renderDeleted('group_membership', id))
    },
  } satisfies Partial<ApiHandlers>
}
