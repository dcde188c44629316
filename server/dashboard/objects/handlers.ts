import type { EnvironmentId } from '../../database/database.ts'
import { groups, type ObjectTable, users } from '../../objects/tables.ts'
import { memberSource, objectSource } from '../../reads/lists.ts'
import type { DashboardHandlers } from '../call.ts'
import type { DashboardParts } from '../parts.ts'
import { type ListQuery, listObjects } from './list.ts'
import { listMembershipsOf, removeMembership, setMembership } from './memberships.ts'
import { readDeletion, readProfile } from './profile.ts'
import { listTimeline } from './timeline.ts'
import { createObject, deleteObject, updateObject } from './write.ts'

type Names =
  | `${'create' | 'get' | 'update' | 'delete'}${'User' | 'Group'}`
  | `list${'Users' | 'Groups'}`
  | `get${'User' | 'Group'}Deletion`
  | `list${'User' | 'Group'}Timeline`
  | 'listUserGroups'
  | 'listGroupMembers'
  | 'setMembership'
  | 'removeMembership'

/** Users and groups: lists, profiles, timelines and changes. */
export function objectHandlers({ services }: DashboardParts): Pick<DashboardHandlers, Names> {
  const { database } = services
  const list = (table: ObjectTable, environmentId: EnvironmentId, query: ListQuery, ownerId?: string) =>
    listObjects(services, environmentId, table, sourceOf(table, ownerId), query, ownerId !== undefined)
  return {
    listUsers: ({ environment, query }) => list(users, environment.id, query, query.group_id),
    createUser: (call) => createObject(services, call, users, call.body.id, call.body.attributes),
    getUser: ({ environment, params }) => readProfile(database, environment.id, users, params.user_id),
    updateUser: (call) => updateObject(services, call, users, call.params.user_id, call.body.attributes),
    deleteUser: (call) => deleteObject(services, call, users, call.params.user_id),
    getUserDeletion: ({ environment, params }) => readDeletion(database, environment.id, users, params.user_id),
    listUserGroups: ({ environment, params, query }) =>
      listMembershipsOf(database, environment.id, users, params.user_id, query),
    listUserTimeline: ({ environment, params, query }) =>
      listTimeline(database, environment.id, users, params.user_id, query),

    listGroups: ({ environment, query }) => list(groups, environment.id, query, query.user_id),
    createGroup: (call) => createObject(services, call, groups, call.body.id, call.body.attributes),
    getGroup: ({ environment, params }) => readProfile(database, environment.id, groups, params.group_id),
    updateGroup: (call) => updateObject(services, call, groups, call.params.group_id, call.body.attributes),
    deleteGroup: (call) => deleteObject(services, call, groups, call.params.group_id),
    getGroupDeletion: ({ environment, params }) => readDeletion(database, environment.id, groups, params.group_id),
    listGroupMembers: ({ environment, params, query }) =>
      listMembershipsOf(database, environment.id, groups, params.group_id, query),
    listGroupTimeline: ({ environment, params, query }) =>
      listTimeline(database, environment.id, groups, params.group_id, query),

    setMembership: (call) => setMembership(services, call, call.body),
    removeMembership: (call) => removeMembership(services, call, call.query),
  }
}

/** All objects, or those at the other end of the memberships of an owner. */
function sourceOf(table: ObjectTable, ownerId: string | undefined) {
  if (ownerId === undefined) return objectSource(table)
  return table === users
    ? memberSource(table, 'user_id', 'group_id', ownerId)
    : memberSource(table, 'group_id', 'user_id', ownerId)
}
