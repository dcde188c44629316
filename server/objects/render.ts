/**
 * The JSON text of each resource. It is concatenated, since attributes are JSON text already and
 * parsing and writing them again would be the most expensive part of a response. The tests check every response against
 * its schema.
 */

interface ObjectFields {
  id: string
  attributesJson: string
  created_at: string
}

/** JSON text of expanded fields; absent means not expanded. */
export type Expanded = Readonly<Record<string, string | undefined>>

const NOTHING: Expanded = {}

export function renderUser(
  { id, attributesJson, created_at }: ObjectFields,
  { groups, memberships }: Expanded = NOTHING,
): string {
  return `{"id":${quote(id)},"object":"user","attributes":${attributesJson},"created_at":"${created_at}","groups":${groups ?? null},"memberships":${memberships ?? null}}`
}

export function renderGroup(
  { id, attributesJson, created_at }: ObjectFields,
  { memberships, users }: Expanded = NOTHING,
): string {
  return `{"id":${quote(id)},"object":"group","attributes":${attributesJson},"created_at":"${created_at}","memberships":${memberships ?? null},"users":${users ?? null}}`
}

export interface MembershipFields extends ObjectFields {
  user_id: string
  group_id: string
}

export function renderMembership(row: MembershipFields, { group, user }: Expanded = NOTHING): string {
  return `{"id":"${row.id}","object":"group_membership","attributes":${row.attributesJson},"created_at":"${row.created_at}","group":${group ?? null},"group_id":${quote(row.group_id)},"user":${user ?? null},"user_id":${quote(row.user_id)}}`
}

export interface EventFields extends ObjectFields {
  name: string
  time: string
  user_id: string | null
  group_id: string | null
}

export function renderEvent(row: EventFields, { group, user }: Expanded = NOTHING): string {
  return `{"id":"${row.id}","object":"event","attributes":${row.attributesJson},"created_at":"${row.created_at}","group":${group ?? null},"group_id":${quote(row.group_id)},"name":${quote(row.name)},"time":"${row.time}","user":${user ?? null},"user_id":${quote(row.user_id)}}`
}

export function renderDeleted(
  object:
    | 'user'
    | 'group'
    | 'group_membership'
    | 'event'
    | 'webhook_subscription'
    | 'content'
    | 'content_session'
    | 'segment',
  id: string,
): string {
  return `{"id":${quote(id)},"object":"${object}","deleted":true}`
}

export function renderArray(items: readonly string[]): string {
  return `[${items.join(',')}]`
}

export function quote(text: string | null): string {
  return JSON.stringify(text)
}
