import type { Database, EnvironmentId } from '../database/database.ts'
import { isNotDeleted, isNotDeletedBy, liveMemberships } from '../deletions/pending.ts'
import { parseExpand } from '../expand/paths.ts'
import { expandedFields } from '../expand/sql.ts'
import { isOfContent } from '../history/deleted-content.ts'
import { sessionJson } from '../history/session-json.ts'
import { sqlOf } from '../render-sql.ts'

/** Rendered objects, and the position of the next page. */
export interface ExportPage {
  items: string
  last: string | null
}

const PAGE = 200
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const memberships = sqlOf(
  'group_membership',
  'item',
  expandedFields('group_membership', parseExpand('group_membership', 'group'), 'item'),
)
const notification = `'{"id":"' || item.id || '","object":"webhook_notification","created_at":' || to_json(to_char(item.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text
  || ',"topic":' || to_json(item.topic)::text || ',"data":{"object":' || item.object || '}}'`

/** One page by its key: `$3` is the last key of the page before, `$4` the last key of all. */
function pageOf(table: string, key: string, type: string, item: string, isShown = 'true'): string {
  return `select coalesce(string_agg(${item}, ',' order by item.${key}), '') as items, max(item.${key}::text) as last
    from (select * from ${table}
           where environment_id = $1::int and user_id = $2::text and ${isShown}
             and ${key} > $3::${type} and ($4::${type} is null or ${key} <= $4::${type})
           order by ${key}
           limit ${PAGE}) as item`
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
    first: FIRST_ID,
    isBounded: true,
  },
  {
    name: 'content_sessions',
    text: pageOf('content_sessions', 'id', 'uuid', sessionJson, isSessionShown),
    first: FIRST_ID,
    isBounded: true,
  },
  {
    name: 'webhook_notifications',
    text: pageOf('webhook_notifications', 'id', 'uuid', notification, isNotDeleted('webhook_notifications')),
    first: FIRST_ID,
    isBounded: true,
  },
] as const

export async function readExportPage(
  db: Database,
  environmentId: EnvironmentId,
  userId: string,
  text: string,
  after: string,
  until: string | null,
): Promise<ExportPage> {
  const [page] = await db.query<ExportPage>(text, [environmentId, userId, after, until])
  return page as ExportPage
}

/** `select 1`: Citus does not support a subquery without columns here. */
export async function findExportedUser(
  db: Database,
  environmentId: EnvironmentId,
  userId: string,
): Promise<{ user: string | null; isHeld: boolean }> {
  const [row] = await db.query<{ user: string | null; isHeld: boolean }>(
    `select (select ${sqlOf('user', 'users')} from users where environment_id = $1::int and id = $2::text) as user,
            exists (select 1 from events
                     where environment_id = $1::int and user_id = $2::text and ${isNotDeleted('events')})
              or exists (select 1 from webhook_notifications
                          where environment_id = $1::int and user_id = $2::text and ${isNotDeleted('webhook_notifications')}) as "isHeld"`,
    [environmentId, userId],
  )
  return row as { user: string | null; isHeld: boolean }
}
