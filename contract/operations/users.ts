import type { Operation } from '../operation.ts'
import { ExpandQuery, ListUsersQuery } from '../queries.ts'
import { UpsertUser } from '../requests/objects.ts'

export const userOperations = {
  upsertUser: {
    method: 'POST',
    path: '/users',
    tag: 'Users',
    summary: 'Create or update a user',
    description:
      'Creates the user when the id is new; otherwise merges the attributes into the stored ones. All of the request is stored, or nothing.',
    query: ExpandQuery,
    body: UpsertUser,
    response: 'User',
    errors: ['feature_not_available'],
    notifies: true,
  },
  getUser: {
    method: 'GET',
    path: '/users/:user_id',
    tag: 'Users',
    summary: 'Get a user',
    description: 'Returns the user with all attributes.',
    query: ExpandQuery,
    response: 'User',
    errors: ['not_found'],
  },
  deleteUser: {
    method: 'DELETE',
    path: '/users/:user_id',
    tag: 'Users',
    summary: 'Delete a user',
    description:
      'Permanently deletes the user with its attributes, memberships, events and the stored notifications about it. Its groups remain. Answers the same when there is no such user.',
    response: 'Deleted',
  },
  listUsers: {
    method: 'GET',
    path: '/users',
    tag: 'Users',
    summary: 'List users',
    description: 'Returns a page of the users of the environment.',
    query: ListUsersQuery,
    response: 'UserList',
  },
  exportUser: {
    method: 'GET',
    path: '/users/:user_id/export',
    tag: 'Users',
    summary: 'Export a user',
    description:
      'Returns everything that is held about one user as one document: its attributes, memberships with their groups, events, what it was shown of guided flows, and the stored notifications about it. It is sent as it is read, so it may be of any size. Events of a user that was never created are exported too; 404 when nothing is held.',
    response: 'UserExport',
    errors: ['not_found'],
    isAddition: true,
  },
} as const satisfies Record<string, Operation>
