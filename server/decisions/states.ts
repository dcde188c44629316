import type { ContentType } from '../../contract/content/document.ts'
import type { Queryable } from '../database/database.ts'
import { type Forms, queryParts } from '../database/forms.ts'
import { itemsOf, type Part } from '../database/parts.ts'
import { contentOf, countedColumns } from '../history/counted.ts'
import { ms } from '../history/find.ts'
import { MOST_LEASE_SECONDS } from '../history/user-history.ts'

/**
 * What all sessions of a user and a content come to. Previews do not count, and neither do sessions from before the
 * content's `counts_from`. Times are milliseconds since 1970.
 */
export interface ContentState {
  contentId: string
  key: string
  type: ContentType
  /** How many sessions there were: a session begins when its first step is seen. */
  started: number
  lastStartedAt: number | null
  /** The last time that it was completed. */
  completedAt: number | null
  dismissedAt: number | null
  /** When the last session ended, however it did. */
  lastEndedAt: number | null
  activeSessionId: string | null
  /** The browser that shows it, while its lease lasts. */
  holder: string | null
}

/** What a decision reads of its environment and its user, besides the facts of its conditions. */
export interface Standing {
  /** Null when the environment has neither content nor segments. */
  revision: string | null
  isOff: boolean
  quietMs: number
  states: readonly ContentState[]
}

interface Row extends Record<string, unknown> {
  number: number
  revision: string | null
  isOff: boolean | null
  quietMs: number | null
  contentId: string | null
}

const time = (column: keyof typeof countedColumns) => ms(countedColumns[column])

const standingsOf = (wanted: string, environmentId: string) => `
  select wanted.number::int, guidance.revision::text, guidance.is_off as "isOff",
         guidance.quiet_ms::float8 as "quietMs", state.*
    from unnest(${wanted}, number)
    left join lateral (
      select revision, is_off, quiet_ms from guidance where environment_id = ${environmentId} offset 0) as guidance on true
    left join lateral (
      select content.id as "contentId", content.key, content.type, ${countedColumns.started} as started,
             ${time('last_started_at')} as "lastStartedAt", ${time('completed_at')} as "completedAt",
             ${time('dismissed_at')} as "dismissedAt", ${time('last_ended_at')} as "lastEndedAt",
             ${countedColumns.active_session_id} as "activeSessionId",
             (select claim.holder from content_claims as claim
               where claim.environment_id = ${environmentId} and claim.id = ${countedColumns.active_session_id}
                 and claim.state <> 'released' and claim.lease_until > clock_timestamp()
                 and claim.lease_until <= clock_timestamp() + interval '${MOST_LEASE_SECONDS} seconds') as holder
        from content_states as state ${contentOf('state', environmentId)}
       where state.environment_id = ${environmentId} and state.user_id = wanted.user_id
      offset 0) as state on true`

const STANDINGS: Forms = {
  one: standingsOf('$2::text[]) with ordinality as wanted (user_id', '$1::int'),
  many: standingsOf(
    '$1::int[], $2::text[]) with ordinality as wanted (environment_id, user_id',
    'wanted.environment_id',
  ),
}

/** The revision, the settings and the states of some users of each environment, in one statement. */
export async function findStandings(db: Queryable, userIds: readonly Part<string>[]): Promise<Standing[][]> {
  const rows = await queryParts<Row>(db, STANDINGS, userIds, [itemsOf(userIds)])
  const standings = userIds.map(({ items }) =>
    items.map((): Standing & { states: ContentState[] } => ({ revision: null, isOff: false, quietMs: 0, states: [] })),
  )
  const all = standings.flat()
  for (const row of rows) {
    const standing = all[row.number - 1] as (typeof all)[number]
    const { number: _, revision, isOff, quietMs, ...state } = row
    Object.assign(standing, { revision, isOff: isOff ?? false, quietMs: quietMs ?? 0 })
    if (state.contentId !== null) standing.states.push(state as unknown as ContentState)
  }
  return standings
}
