import type { Static } from 'typebox'
import { attributeInputs, attributeValues, dataTypes } from '../attributes.ts'
import { orderable } from '../queries.ts'
import { UpsertGroup, UpsertUser } from '../requests/objects.ts'
import { Type } from '../type.ts'
import {
  BoundedCount,
  body,
  count,
  Done,
  flag,
  givenId,
  givenText,
  oneOf,
  orNull,
  page,
  paging,
  resource,
  text,
  time,
} from './fields.ts'
import { dashboardLimits as limits } from './limits.ts'
import { paths } from './paths.ts'
import { Timeline, timelineKinds } from './timeline.ts'
import { writers } from './writers.ts'

/** Users and groups: lists, profiles and memberships. */

const attributes = attributeValues('All attributes.', {})

/** A user or a group in a list. */
export const ObjectRow = resource({ id: text, attributes, created_at: time })
export type ObjectRow = Static<typeof ObjectRow>

export const ObjectPage = resource({
  data: Type.Array(ObjectRow),
  next: orNull(text),
  /** How many there are in the environment; null under a search, a condition or a group. */
  total: orNull(count),
  /** Set under a condition: how many rows this page examined. With `is_bounded` it stopped there, and `next` continues. */
  looked_at: orNull(count),
  is_bounded: flag,
})
export type ObjectPage = Static<typeof ObjectPage>

const list = {
  /** A prefix of the id, the e-mail or the name. E-mail and name ignore case. */
  q: Type.Optional(givenText(255)),
  /** A condition as JSON. */
  condition: Type.Optional(givenText(limits.conditionInAddress)),
  ...paging,
  /** An export reads many at a time. A page of large objects has fewer, and `next` continues. */
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 5000, default: 50 })),
}
const ascendingAndDescending = <const Fields extends readonly string[]>(fields: Fields) =>
  Type.Unsafe<Fields[number] | `-${Fields[number]}`>({
    type: 'string',
    enum: [...fields, ...fields.map((field) => `-${field}`)],
  })

/** An attribute with its definition. */
export const AttributeRow = resource({
  name: text,
  value: Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] }),
  /** The type of this value; `defined_type` is that of the definition, which another value may have set. */
  data_type: oneOf(dataTypes),
  defined_type: text,
  display_name: text,
  /** The earliest time at which it can have been set: when the name was first seen or the object was created, whichever is later. */
  since: time,
  /** Whether pages may write it too, and whether content may show it to users who are not verified. */
  written_by: oneOf(writers),
  shown_unverified: flag,
})
export type AttributeRow = Static<typeof AttributeRow>

export const Profile = resource({
  id: text,
  attributes: Type.Array(AttributeRow),
  created_at: time,
  memberships: BoundedCount,
})
export type Profile = Static<typeof Profile>

/** A membership, with the object at its other end. */
export const MembershipRow = resource({
  id: text,
  name: orNull(text),
  attributes,
  created_at: time,
})
export type MembershipRow = Static<typeof MembershipRow>

/** What is deleted together with a user or a group. */
export const Deletion = resource({
  attributes: count,
  memberships: BoundedCount,
  events: BoundedCount,
  notifications: BoundedCount,
})
export type Deletion = Static<typeof Deletion>

const changes = body({ attributes: attributeInputs('The attributes to change; null removes one.') })
const creation = <Id extends typeof UpsertUser.properties.id>(id: Id) =>
  body({ id, attributes: attributeInputs('The attributes of the new object.') })
const timelineQuery = Type.Object({ show: Type.Optional(oneOf(timelineKinds)), ...paging })

export const objectOperations = {
  listUsers: {
    ...paths.listUsers,
    query: Type.Object({
      ...list,
      group_id: Type.Optional(givenId),
      order_by: Type.Optional(ascendingAndDescending(orderable.users)),
    }),
    response: ObjectPage,
  },
  /** Refused when the id is taken, unlike POST /users of the public API. */
  createUser: { ...paths.createUser, body: creation(UpsertUser.properties.id), response: Profile },
  getUser: { ...paths.getUser, response: Profile },
  updateUser: { ...paths.updateUser, body: changes, response: Profile },
  deleteUser: { ...paths.deleteUser, response: Done },
  getUserDeletion: { ...paths.getUserDeletion, response: Deletion },
  listUserGroups: { ...paths.listUserGroups, query: Type.Object(paging), response: page(MembershipRow) },
  listUserTimeline: { ...paths.listUserTimeline, query: timelineQuery, response: Timeline },
  listGroups: {
    ...paths.listGroups,
    query: Type.Object({
      ...list,
      user_id: Type.Optional(givenId),
      order_by: Type.Optional(ascendingAndDescending(orderable.groups)),
    }),
    response: ObjectPage,
  },
  createGroup: { ...paths.createGroup, body: creation(UpsertGroup.properties.id), response: Profile },
  getGroup: { ...paths.getGroup, response: Profile },
  updateGroup: { ...paths.updateGroup, body: changes, response: Profile },
  deleteGroup: { ...paths.deleteGroup, response: Done },
  getGroupDeletion: { ...paths.getGroupDeletion, response: Deletion },
  listGroupMembers: { ...paths.listGroupMembers, query: Type.Object(paging), response: page(MembershipRow) },
  listGroupTimeline: { ...paths.listGroupTimeline, query: timelineQuery, response: Timeline },
  /** Makes the user a member of the group, or changes the attributes of the membership. Both have to exist. */
  setMembership: {
    ...paths.setMembership,
    body: body({
      user_id: givenId,
      group_id: givenId,
      attributes: attributeInputs('The attributes of the membership.'),
    }),
    response: Done,
  },
  removeMembership: {
    ...paths.removeMembership,
    query: Type.Object({ user_id: givenId, group_id: givenId }),
    response: Done,
  },
} as const
