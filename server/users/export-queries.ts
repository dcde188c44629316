import type { Database, EnvironmentId } from '../database/database.ts'
import { isOfContent } from '../deletions/deleted-content.ts'
import { isNotDeleted, isNotDeletedBy, liveMemberships } from '../deletions/pending.ts'
import { parseExpand } from '../expand/paths.ts'
import { expandedFields } from '../expand/sql.ts'
import { sessionJson, stateJson, timeText } from '../history/session-json.ts'
import { LEAST_ID } from '../ids.ts'
import { sqlOf } from '../objects/render-sql.ts'

/** Rendered objects, how many they are, and the position of the next page. */
export interface ExportPage {
  items: string
  count: number
  last: string | null
}

/** Where a page begins, where the part ends, and the most rows of the page. */
export interface ExportRange {
  after: string
  until: string | null
  rows: number
}

/** A page has at most so many bytes, or one object: what a process holds of an export does not grow with what it exports. */
export const PAGE_BYTES = 1024 * 1024
const memberships = sqlOf(
  'group_membership',
  'item',
  expandedFields('group_membership', parseExpand('group_membership', 'group'), 'item'),
)
const notification = `'{"id":"' || item.id || '","object":"webhook_notification","created_at":' || to_json(${timeText('item.created_at')})::text
  || ',"topic":' || to_json(item.topic)::text || ',"data":{"object":' || item.object || '}}'`

/**
 * One page by its key: `$3` is the last key of the page before, `$4` the last key of all, `$5` the most rows. What is beyond the
 * bytes of a page is rendered, and not sent.
 */
function pageOf(table: string, key: string, type: string, item: string, isShown = 'true'): string {
  return `select coalesce(string_agg(text, ',' order by key), '') as items, count(*)::int as count, max(key::text) as last
    from (select key, text, octet_length(text) as bytes,
                 sum(octet_length(text)) over (order by key rows unbounded preceding) as sum
            from (select item.${key} as key, ${item} as text
                    from (select * from ${table}
                           where environment_id = $1::int and user_id = $2::text and ${isShown}
                             and ${key} > $3::${type} and ($4::${type} is null or ${key} <= $4::${type})
                           order by ${key}
                           limit $5::int) as item
                  offset 0) as rendered) as summed
   where sum <= ${PAGE_BYTES} or sum = bytes`
}

const isSessionShown = `${isNotDeletedBy('content_sessions', 'user')} and ${isOfContent('content_sessions')}`

/** In the order of the document. Each page is read from an index, after the last page. */
export const exportedParts = [
  {
    name: 'memberships',
    text: pageOf(`${liveMemberships()} as membership`, 'group_id', 'text', memberships),
    first: '',
    isBounded: false,
  },
  {
    name: 'events',
    text: pageOf('events', 'id', 'uuid', sqlOf('event', 'item'), isNotDeleted('events')),
    first: LEAST_ID,
    isBounded: true,
  },
  {
    name: 'content_sessions',
    text: pageOf('content_sessions', 'id', 'uuid', sessionJson, isSessionShown),
    first: LEAST_ID,
    isBounded: true,
  },
  {
    name: 'content_states',
    text: pageOf('content_states', 'content_id', 'uuid', stateJson, isOfContent('content_states')),
    first: LEAST_ID,
    isBounded: false,
  },
  {
    name: 'webhook_notifications',
    text: pageOf('webhook_notifications', 'id', 'uuid', notification, isNotDeleted('webhook_notifications')),
    first: LEAST_ID,
    isBounded: true,
  },
] as const

export async function readExportPage(
  db: Database,
  environmentId: EnvironmentId,
  userId: string,
  text: string,
  { after, until, rows }: ExportRange,
): Promise<ExportPage> {
  const [page] = await db.query<ExportPage>(text, [environmentId, userId, after, until, rows])
  return page as ExportPage
}

/** What is there of the user at the start of an export, in one snapshot. */
export interface ExportStart {
  user: string | null
  isHeld: boolean
  /** The greatest id of each part that has one. A clock is no bound: that of the node that stored them may be ahead of ours. */
  last: Record<BoundedPart, string>
}

type BoundedPart = Extract<(typeof exportedParts)[number], { isBounded: true }>['name']

const lastOf = ({ name }: { name: string }) => {
  const ofUser = `from ${name} where environment_id = $1::int and user_id = $2::text`
  // No index has the sessions of a user by their ids: in this order those of all users might be read.
  const last = name === 'content_sessions' ? `max(id::text) ${ofUser}` : `id::text ${ofUser} order by id desc limit 1`
  return `'${name}', coalesce((select ${last}), '${LEAST_ID}')`
}

/** `select 1`: Citus does not support a subquery without columns here. */
export async function findExportedUser(
  db: Database,
  environmentId: EnvironmentId,
  userId: string,
): Promise<ExportStart> {
  const [row] = await db.query<ExportStart & Record<string, unknown>>(
    `select (select ${sqlOf('user', 'users')} from users where environment_id = $1::int and id = $2::text) as user,
            exists (select 1 from events
                     where environment_id = $1::int and user_id = $2::text and ${isNotDeleted('events')})
              or exists (select 1 from webhook_notifications
                          where environment_id = $1::int and user_id = $2::text and ${isNotDeleted('webhook_notifications')}) as "isHeld",
            json_build_object(${exportedParts.filter(({ isBounded }) => isBounded).map(lastOf)}) as last`,
    [environmentId, userId],
  )
  return row as ExportStart
}
