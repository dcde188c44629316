import type { Queryable, Transaction } from '../database/database.ts'
import { insertForms, jsonRows, mapForms, queryParts } from '../database/forms.ts'
import { findForms, whereForms } from '../database/key-forms.ts'
import { type Indexed, itemsOf, type Part, rowsByPart } from '../database/parts.ts'
import { isNotLeftOver } from '../deletions/pending.ts'

export interface MembershipPair {
  userId: string
  groupId: string
}

export interface StorableMembership extends MembershipPair {
  id: string
  attributesJson: string
  createdAt: string
  userCreatedAt: string
  groupCreatedAt: string
}

export interface MembershipAttributes extends MembershipPair {
  attributesJson: string
}

const KEY = { user_id: 'text', group_id: 'text' } as const
const PAIR = 'user_id as "userId", group_id as "groupId"'
/** What is read of a membership. */
export const FOUND = `${PAIR}, attributes as "attributesJson"`

const LIVE = { isShown: isNotLeftOver }

const FIND = findForms('group_memberships', KEY, FOUND, LIVE)

/** The memberships of each part that exist. */
export async function findMemberships(
  db: Queryable,
  pairs: readonly Part<MembershipPair>[],
): Promise<MembershipAttributes[][]> {
  return rowsByPart(pairs, await queryParts<MembershipAttributes & Indexed>(db, FIND, pairs, columnsOf(pairs)))
}

const FIND_OF_USERS = findForms('group_memberships', { user_id: 'text' }, PAIR, LIVE)

/** In which groups the users of each part are. A user may be in very many, so their attributes are not read. */
export async function findPairsOfUsers(db: Queryable, ids: readonly Part<string>[]): Promise<MembershipPair[][]> {
  return rowsByPart(ids, await queryParts<MembershipPair & Indexed>(db, FIND_OF_USERS, ids, [itemsOf(ids)]))
}

const STORE = insertForms(
  ({ environmentId, from, declared, where }) => `
    insert into group_memberships
      (environment_id, user_id, group_id, id, attributes, created_at, user_created_at, group_created_at)
    select ${environmentId}, user_id, group_id, id, attributes, created_at, user_created_at, group_created_at
      from ${from}json_to_recordset($2::json)
        as given (${declared}user_id text, group_id text, id uuid, attributes jsonb, created_at timestamptz,
                  user_created_at timestamptz, group_created_at timestamptz)
     where ${where}
    on conflict (environment_id, user_id, group_id) do update
       set attributes = excluded.attributes, created_at = excluded.created_at,
           user_created_at = excluded.user_created_at, group_created_at = excluded.group_created_at`,
)

/**
 * New memberships of locked users and groups, so no other transaction inserts them. A row that was removed in the same
 * transaction, or is left over from a deletion, is overwritten.
 */
export async function storeMemberships(
  db: Transaction,
  memberships: readonly Part<StorableMembership>[],
): Promise<void> {
  await queryParts(db, STORE, memberships, [jsonRows(memberships, rowOf)])
}

/**
 * Memberships that were read in this transaction, of locked users: no other transaction changes them. One whose group
 * was deleted since then stays deleted. The new values are looked up in a document by user and group, and nothing is
 * joined: in a table without statistics PostgreSQL joined by reading all memberships (20 ms for 44 of 25,000, against 4
 * ms).
 */
const UPDATE = mapForms(whereForms('group_memberships', KEY), (where, form) => {
  const document = form === 'one' ? '$4::jsonb' : '$4::jsonb -> environment_id::text'
  return `update group_memberships set attributes = ${document} -> user_id -> group_id where ${where}`
})

export async function updateMemberships(
  db: Transaction,
  memberships: readonly Part<MembershipAttributes>[],
): Promise<void> {
  const [first] = memberships
  const parts = memberships.map((part) => `"${part.environmentId}":${documentOf(part)}`)
  const document = memberships.length === 1 && first ? documentOf(first) : `{${parts.join(',')}}`
  await queryParts(db, UPDATE, memberships, [...columnsOf(memberships), document])
}

function columnsOf(parts: readonly Part<MembershipPair>[]): [userIds: string[], groupIds: string[]] {
  const pairs = itemsOf(parts)
  return [pairs.map(({ userId }) => userId), pairs.map(({ groupId }) => groupId)]
}

/** The attributes by user and then by group. */
function documentOf({ items }: Part<MembershipAttributes>): string {
  const byUser = Object.groupBy(items, ({ userId }) => JSON.stringify(userId))
  const groupsOf = (own: readonly MembershipAttributes[] = []) =>
    own.map(({ groupId, attributesJson }) => `${JSON.stringify(groupId)}:${attributesJson}`)
  return `{${Object.entries(byUser).map(([userId, own]) => `${userId}:{${groupsOf(own)}}`)}}`
}

function rowOf({ userId, groupId, id, attributesJson, ...times }: StorableMembership): string {
  return `{"user_id":${JSON.stringify(userId)},"group_id":${JSON.stringify(groupId)},"id":"${id}","attributes":${attributesJson},"created_at":"${times.createdAt}","user_created_at":"${times.userCreatedAt}","group_created_at":"${times.groupCreatedAt}"}`
}
