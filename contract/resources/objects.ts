import { attributeValues } from '../attributes.ts'
import { addition } from '../schema.ts'
import { Type } from '../type.ts'
import { manyOf, nullable, object, oneOf, ref, resource, text, time } from './fields.ts'

/** Users, groups, memberships and events. */

export const User = resource('An end user of the application.', {
  id: text("The caller's own id of the user.", 'u_1'),
  object: object('user'),
  attributes: attributeValues('All attributes of the user.', { name: 'Ada', seats: 3 }),
  created_at: time('When the user was created in the service.'),
  groups: manyOf('Group', 'groups'),
  memberships: manyOf('GroupMembership', 'memberships'),
})

export const Group = resource('A group of users, such as a company or a team.', {
  id: text("The caller's own id of the group.", 'g_1'),
  object: object('group'),
  attributes: attributeValues('All attributes of the group.', { name: 'Analytical Engines' }),
  created_at: time('When the group was created in the service.'),
  memberships: manyOf('GroupMembership', 'memberships'),
  users: manyOf('User', 'users'),
})

export const GroupMembership = resource(
  'The link between one user and one group, with what describes the user in that group only.',
  {
    id: text('Assigned by the service; the same for the same user and group.', '0b7f6a3e-6c0b-5c8e-9b44-0a6f3d1c2b10'),
    object: object('group_membership'),
    attributes: attributeValues('The attributes of the membership.', { role: 'admin' }),
    created_at: time('When the membership was created.'),
    group: oneOf('Group', 'group'),
    group_id: text('The id of the group.', 'g_1'),
    user: oneOf('User', 'user'),
    user_id: text('The id of the user.', 'u_1'),
  },
)

export const Event = resource('Something that a user, a group or both did.', {
  id: text('Assigned by the service.', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'),
  object: object('event'),
  attributes: attributeValues('The attributes of the event.', { plan: 'pro' }),
  created_at: time('When the service stored the event.'),
  group: oneOf('Group', 'group'),
  group_id: nullable(Type.String(), 'The associated group, if any.', 'g_1'),
  name: text('The event name.', 'subscription_activated'),
  time: Type.String({
    description: 'When the event happened: as it was sent when that is RFC 3339, else rewritten to RFC 3339.',
    format: 'date-time',
    examples: ['2026-01-03T09:29:58Z'],
  }),
  user: oneOf('User', 'user'),
  user_id: nullable(Type.String(), 'The associated user, if any.', 'u_1'),
})

export const UserExport = resource('Everything that is held about one user.', {
  object: object('user_export'),
  user_id: text('The id that was asked for.', 'u_1'),
  exported_at: time('When the export began.'),
  user: oneOf('User', 'user'),
  memberships: Type.Array(ref('GroupMembership'), { description: 'All memberships, each with its group.' }),
  events: Type.Array(ref('Event'), { description: 'All events, in the order in which they were stored.' }),
  content_sessions: addition(
    Type.Array(
      Type.Unsafe<object>({
        type: 'object',
        description: 'A session, with its answers and why it was shown.',
        examples: [{ id: '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f', object: 'content_session', state: 'completed' }],
      }),
      { description: 'What the user was shown of guided flows, and how it went.', examples: [[]] },
    ),
  ),
  content_states: addition(
    Type.Array(
      Type.Unsafe<object>({
        type: 'object',
        description: 'How often a content was started, and when it was last started, completed, dismissed and ended.',
        examples: [{ content_id: '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f', object: 'content_state', started: 1 }],
      }),
      {
        description: 'What is remembered of each content, also of sessions that are not kept any more.',
        examples: [[]],
      },
    ),
  ),
  webhook_notifications: Type.Array(ref('StoredNotification'), {
    description: 'The notifications about the user and its events that are still stored.',
  }),
})
