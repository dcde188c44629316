import type { Operation } from '../operation.ts'
import { ExpandQuery, ListGroupsQuery, RemoveMembershipQuery } from '../queries.ts'
import { UpsertGroup } from '../requests/objects.ts'

export const groupOperations = {
  upsertGroup: {
    method: 'POST',
    path: '/groups',
    tag: 'Groups',
    summary: 'Create or update a group',
    description: 'Creates the group when the id is new; otherwise merges the attributes into the stored ones.',
    query: ExpandQuery,
    body: UpsertGroup,
    response: 'Group',
    errors: ['feature_not_available'],
  },
  getGroup: {
    method: 'GET',
    path: '/groups/:group_id',
    tag: 'Groups',
    summary: 'Get a group',
    description: 'Returns the group with all attributes.',
    query: ExpandQuery,
    response: 'Group',
    errors: ['not_found'],
  },
  deleteGroup: {
    method: 'DELETE',
    path: '/groups/:group_id',
    tag: 'Groups',
    summary: 'Delete a group',
    description:
      'Permanently deletes the group with its attributes, memberships, events and the stored notifications about it. Its members remain. Answers the same when there is no such group.',
    response: 'Deleted',
  },
  listGroups: {
    method: 'GET',
    path: '/groups',
    tag: 'Groups',
    summary: 'List groups',
    description: 'Returns a page of the groups of the environment.',
    query: ListGroupsQuery,
    response: 'GroupList',
  },
  removeMembership: {
    method: 'DELETE',
    path: '/group_memberships',
    tag: 'Groups',
    summary: 'Remove a user from a group',
    description:
      'Removes the membership; the user and the group remain. Answers the same when the user was not a member.',
    query: RemoveMembershipQuery,
    response: 'Deleted',
  },
} as const satisfies Record<string, Operation>
