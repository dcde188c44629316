import type { Attributes, AttributeValue } from '../../contract/attributes.ts'
import { own } from '../attributes/own.ts'
import { beginning, sortKey, timeSortKey } from '../attributes/sort-key.ts'

/** The tables of users and groups have the same form: an id, attributes, a creation time, and keys for sorting and filtering. */
export interface ObjectTable {
  readonly name: 'users' | 'groups'
  readonly kind: 'User' | 'Group'
  readonly object: 'user' | 'group'
  readonly keys: Readonly<Record<string, (attributes: Attributes) => string | null>>
  /** The attributes that the keys are made from. */
  readonly keyedBy: readonly string[]
}

export const users: ObjectTable = {
  name: 'users',
  kind: 'User',
  object: 'user',
  keys: {
    name_key: (attributes) => sortKey(own(attributes, 'name')),
    signed_up_at_key: (attributes) => timeSortKey(own(attributes, 'signed_up_at')),
    last_seen_at_key: (attributes) => timeSortKey(own(attributes, 'last_seen_at')),
    email_key: (attributes) => emailKey(own(attributes, 'email')),
  },
  keyedBy: ['name', 'signed_up_at', 'last_seen_at', 'email'],
}

export const groups: ObjectTable = {
  name: 'groups',
  kind: 'Group',
  object: 'group',
  keys: { name_key: (attributes) => sortKey(own(attributes, 'name')) },
  keyedBy: ['name'],
}

/** Whether the position of an object is unchanged in every list. */
export function sortKeysUnchanged({ keyedBy }: ObjectTable, before: Attributes, after: Attributes): boolean {
  return keyedBy.every((name) => own(before, name) === own(after, name))
}

/** The key of the `email` filter. A longer value is then compared completely. */
export function emailKey(email: AttributeValue | undefined): string | null {
  return typeof email === 'string' ? beginning(email) : null
}
