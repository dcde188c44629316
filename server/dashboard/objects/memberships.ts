import type { AttributeInputs } from '../../../contract/attributes.ts'
import type { MembershipRow } from '../../../contract/dashboard/objects.ts'
import { plans } from '../../../contract/plans.ts'
import { parseOperations } from '../../attributes/operations.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { errors } from '../../errors.ts'
import type { ObjectTable } from '../../objects/tables.ts'
import type { Services } from '../../services.ts'
import { DONE } from '../call.ts'
import { ownerOf } from './profile.ts'
import { listOtherEnds } from './profile-queries.ts'
import { type ChangeCall, entryOf, writeRight } from './write.ts'

export async function setMembership(
  services: Services,
  call: ChangeCall,
  given: { user_id: string; group_id: string; attributes?: AttributeInputs | null },
): Promise<typeof DONE> {
  const { environment, grant } = call
  const { plan } = grant.session
  if (!plans[plan].groups) throw errors.groupsNotAvailable(plan)
  const group = {
    id: given.group_id,
    operations: [],
    membershipOperations: parseOperations(given.attributes),
    groupPath: 'group',
    membershipPath: '',
  }
  const target = { id: given.user_id }
  const after = { group_id: given.group_id, ...given.attributes }
  const of = { userId: given.user_id, groupId: given.group_id }
  const audit = () => entryOf(call, { action: 'user.joined', target, of, after })
  const user = { kind: 'user', id: given.user_id, operations: [] } as const
  await services.write(environment.id, {
    ...user,
    groups: [group],
    prune: false,
    expects: 'existing',
    audit,
    right: writeRight(call),
  })
  return DONE
}

export async function removeMembership(
  services: Services,
  call: ChangeCall,
  { user_id, group_id }: { user_id: string; group_id: string },
): Promise<typeof DONE> {
  const { environment } = call
  const of = { userId: user_id, groupId: group_id }
  const audit = entryOf(call, { action: 'user.left', target: { id: user_id }, of, before: { group_id } })
  await services.remove(environment.id, {
    kind: 'remove_membership',
    userId: user_id,
    groupId: group_id,
    audit,
    right: writeRight(call),
  })
  return DONE
}

/** One page of the groups of a user, or of the members of a group. */
export async function listMembershipsOf(
  database: Database,
  environmentId: EnvironmentId,
  table: ObjectTable,
  id: string,
  { cursor, limit = 50 }: { cursor?: string; limit?: number },
): Promise<{ data: MembershipRow[]; next: string | null }> {
  const before = cursor === undefined ? undefined : parseCursor(cursor)
  const rows = await listOtherEnds(database, environmentId, ownerOf(table), id, before, limit + 1)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    data: shown.map(({ id: otherId, name, attributesJson, created_at }) => ({
      id: otherId,
      name,
      attributes: JSON.parse(attributesJson),
      created_at,
    })),
    next: last && last.found > shown.length ? `${last.key} ${last.id}` : null,
  }
}

/** A cursor is a time in the form of our answers, and an id. An invalid cursor gives the first page. */
function parseCursor(text: string): { key: string; id: string } | undefined {
  const [, key, id] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (.+)$/s.exec(text) ?? []
  if (key === undefined || id === undefined || Number.isNaN(Date.parse(key))) return undefined
  return new Date(key).toISOString() === key ? { key, id } : undefined
}
