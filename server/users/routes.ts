import type { ListUsersQuery } from '../../contract/queries.ts'
import type { UpsertUser } from '../../contract/requests.ts'
import type { ApiHandlers } from '../api.ts'
import { parseOperations } from '../attributes/operations.ts'
import { isoTime } from '../clock.ts'
import type { GroupPart, UpsertUserJob } from '../commit/jobs.ts'
import { errors } from '../errors.ts'
import { parseExpand } from '../expand/paths.ts'
import { checkExpansion, renderWritten } from '../expand/written.ts'
import { newId } from '../ids.ts'
import type { ListSource } from '../lists/list.ts'
import { getObject } from '../objects/get.ts'
import { answerList, memberSource, objectSource } from '../objects/lists.ts'
import { emailKey, users } from '../objects/tables.ts'
import { renderDeleted } from '../render.ts'
import type { Services } from '../services.ts'

export function userHandlers(services: Services) {
  return {
    upsertUser: async ({ grant, body, query }) => {
      const tree = parseExpand('user', query.expand)
      if (!grant.plan.groups && (body.groups || body.memberships)) throw errors.groupsNotAvailable(grant.planName)
      const job = userJob(body)
      if (tree.size > 0) {
        const joined = { userId: job.id, groupIds: job.groups.map(({ id }) => id), prune: job.prune }
        await checkExpansion(services.database, grant.environmentId, 'user', tree, { userId: job.id }, joined)
      }
      const written = await services.write(grant.environmentId, job)
      return await renderWritten(services.database, grant.environmentId, 'user', written, tree)
    },

    getUser: async ({ grant, params, query }) =>
      await getObject(services, grant.environmentId, users, params.user_id, parseExpand('user', query.expand)),

    deleteUser: async ({ grant, params: { user_id: id } }) => {
      await services.remove(grant.environmentId, { kind: 'user', id })
      return renderDeleted('user', id)
    },

    listUsers: async ({ grant, query, address }) =>
      await answerList(services, grant.environmentId, users, listSource(query), query, address()),
  } satisfies Partial<ApiHandlers>
}

function listSource({ email, group_id }: ListUsersQuery): ListSource {
  const source = group_id === undefined ? objectSource(users) : memberSource(users, 'user_id', 'group_id', group_id)
  return email === undefined ? source : emailSource(source, email)
}

/** Exactly this address: the key finds the candidates, the value decides. */
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

function userJob(body: UpsertUser): UpsertUserJob {
  const now = Date.now()
  return {
    kind: 'user',
    id: body.id,
    operations: parseOperations(body.attributes),
    groups: groupsOf(body),
    prune: body.prune_memberships === true,
    at: isoTime(now),
    notificationId: newId(now),
  }
}

const NO_GROUPS: readonly GroupPart[] = []

/** The groups to join, checked as a whole: what no schema says about them. */
function groupsOf(body: UpsertUser): readonly GroupPart[] {
  if (!body.groups && !body.memberships) {
    if (!body.prune_memberships) return NO_GROUPS
    throw errors.invalidParams([
      'prune_memberships: needs groups or memberships; with an empty list it removes all memberships',
    ])
  }
  const groups = [...groupParts(body)]
  const problems = [
    ...(body.groups && body.memberships ? ['memberships: only one of groups and memberships may be set'] : []),
    ...membershipProblems(body),
    ...repeated(groups),
  ]
  if (problems.length > 0) throw errors.invalidParams(problems)
  return groups
}

function* groupParts(body: UpsertUser): Generator<GroupPart> {
  for (const [index, group] of (body.groups ?? []).entries()) {
    yield {
      id: group.id,
      operations: parseOperations(group.attributes),
      membershipOperations: [],
      groupPath: `groups[${index}]`,
      membershipPath: `groups[${index}]`,
    }
  }
  for (const [index, { group, group_id, attributes }] of (body.memberships ?? []).entries()) {
    const id = group?.id ?? group_id ?? ''
    yield {
      id,
      operations: parseOperations(group?.attributes),
      membershipOperations: parseOperations(attributes),
      groupPath: `memberships[${index}].group`,
      membershipPath: `memberships[${index}]`,
    }
  }
}

function membershipProblems({ id, memberships }: UpsertUser): string[] {
  return (memberships ?? []).flatMap(({ group, group_id, user_id }, index) => {
    const path = `memberships[${index}]`
    if (!group && !group_id) return [`${path}.group: is required, with at least its id`]
    if (group && group_id && group.id !== group_id) return [`${path}.group_id: is not the id of the group beside it`]
    if (user_id && user_id !== id) return [`${path}.user_id: must be the id of the user, or absent`]
    return []
  })
}

function repeated(groups: readonly GroupPart[]): string[] {
  const seen = new Set<string>()
  return groups
    .filter(({ id }) => seen.size === seen.add(id).size)
    .map(({ groupPath, id }) => `${groupPath}.id: the group '${id}' stands in the request twice`)
}
