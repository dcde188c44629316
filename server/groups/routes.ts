import type { ApiHandlers } from '../api.ts'
import { parseOperations } from '../attributes/operations.ts'
import { errors } from '../errors.ts'
import { parseExpand } from '../expand/paths.ts'
import { checkExpansion, renderWritten } from '../expand/written.ts'
import { membershipId } from '../ids.ts'
import { getObject } from '../objects/get.ts'
import { answerList, memberSource, objectSource } from '../objects/lists.ts'
import { groups } from '../objects/tables.ts'
import { renderDeleted } from '../render.ts'
import type { Services } from '../services.ts'

export function groupHandlers(services: Services) {
  return {
    upsertGroup: async ({ grant, body, query }) => {
      const tree = parseExpand('group', query.expand, body.expand)
      if (!grant.plan.groups) throw errors.groupsNotAvailable(grant.planName)
      const job = {
        kind: 'group',
        id: body.id,
        operations: parseOperations(body.attributes),
      } as const
      if (tree.size > 0)
        await checkExpansion(services.database, grant.environmentId, 'group', tree, { groupId: job.id })
      const written = await services.write(grant.environmentId, job)
      return await renderWritten(services.database, grant.environmentId, 'group', written, tree)
    },

    getGroup: async ({ grant, params, query }) =>
      await getObject(services, grant.environmentId, groups, params.group_id, parseExpand('group', query.expand)),

    deleteGroup: async ({ grant, params: { group_id: id } }) => {
      await services.remove(grant.environmentId, { kind: 'group', id })
      return renderDeleted('group', id)
    },

    listGroups: async ({ grant, query, address }) => {
      const source =
        query.user_id === undefined ? objectSource(groups) : memberSource(groups, 'group_id', 'user_id', query.user_id)
      return await answerList(services, grant.environmentId, groups, source, query, address())
    },

    removeMembership: async ({ grant, query: { user_id, group_id } }) => {
      await services.remove(grant.environmentId, { kind: 'membership', userId: user_id, groupId: group_id })
      return renderDeleted('group_membership', membershipId(grant.environmentId, user_id, group_id))
    },
  } satisfies Partial<ApiHandlers>
}
