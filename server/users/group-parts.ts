import type { UpsertUser } from '../../contract/requests/objects.ts'
import { parseOperations } from '../attributes/operations.ts'
import { errors } from '../errors.ts'
import type { GroupPart } from '../writes/jobs.ts'

const NO_GROUPS: readonly GroupPart[] = []

/** The groups to join, after the checks that no schema can express. */
export function groupsOf(given: UpsertUser): readonly GroupPart[] {
  const body = mergeReadLists(given)
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

/**
 * A user from a response with both `groups` and `memberships` expanded can be sent back: the two are merged. Lists that are
 * not from a response, or differ, are not merged, and refused.
 */
function mergeReadLists(body: UpsertUser): UpsertUser {
  const { groups, memberships } = body
  if (!groups || !memberships || ![body, ...groups, ...memberships].every(isRead)) return body
  const byId = new Map(groups.map((group) => [group.id, group]))
  const joined = memberships.map((membership) => ({
    ...membership,
    group: membership.group ?? byId.get(membership.group_id ?? '') ?? null,
  }))
  const agree = joined.every(({ group }) => group && sameAttributes(group, byId.get(group.id)))
  return agree && byId.size === joined.length ? { ...body, groups: null, memberships: joined } : body
}

/** Objects from a response have their `object` field. */
function isRead({ object }: { object?: unknown }): boolean {
  return typeof object === 'string'
}

/** Empty lists of a user from a response write nothing. */
export function writesGroups(body: UpsertUser): boolean {
  const { groups, memberships } = body
  return isRead(body) ? Boolean(groups?.length || memberships?.length) : Boolean(groups || memberships)
}

function sameAttributes(one: { attributes?: unknown }, other: { attributes?: unknown } | undefined): boolean {
  return JSON.stringify(one.attributes) === JSON.stringify(other?.attributes)
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
    if (group && group_id && group.id !== group_id) return [`${path}.group_id: is not the id in group.id`]
    if (user_id && user_id !== id) return [`${path}.user_id: must be the id of the user, or absent`]
    return []
  })
}

function repeated(groups: readonly GroupPart[]): string[] {
  const seen = new Set<string>()
  return groups
    .filter(({ id }) => seen.size === seen.add(id).size)
    .map(({ groupPath, id }) => `${groupPath}.id: the group '${id}' is in the request twice`)
}
