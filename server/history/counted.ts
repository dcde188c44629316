/**
 * Which sessions still count, in SQL, by what their publisher has chosen for users inside. The columns of `content` are the
 * times of these choices: no session from before `counts_from` counts; open ones from before `ends_before` are over; those
 * of them from before `restarts_before` do not count either. They count at once; the rows follow in steps (sessions/ender.ts).
 */

/** Why an open session is over; null when it is not. */
export const overBecause = (session: string, content: string) => `
  case when ${session}.ended_at is not null then null
       when ${content}.published_version_id is null then 'unpublished'
       when ${session}.created_at < ${content}.ends_before then 'version_changed' end`

/** Whether a session counts. Who has completed it is not inside, and does not begin again by `restarts_before`. */
export const countsNow = (session: string, content: string) => `
  (${session}.counts and ${session}.created_at >= coalesce(${content}.counts_from, '-infinity')
    and (${session}.ended_at is not null or ${session}.completed_at is not null
         or ${session}.created_at >= coalesce(${content}.restarts_before, '-infinity')))`

/** A claim that was not shown yet is over as a session from its time is. */
export const isOverClaim = (claim: string, content: string) =>
  `(${content}.published_version_id is null or coalesce(${claim}.created_at < ${content}.ends_before, false))`

const isOver = `(state.active_session_id is not null
  and (content.published_version_id is null or state.last_started_at < content.ends_before))`
const isRestarted = `(${isOver} and state.last_started_at < coalesce(content.restarts_before, '-infinity'))`
const started = `
  case when state.last_started_at < content.counts_from then 0
       when ${isRestarted} then state.started - 1 else state.started end`
const since = (column: string) =>
  `case when state.${column} < content.counts_from or (${started}) = 0 then null else state.${column} end`

/** The states of users and contents as they count now. `state` and `content` can be named in what follows. */
export const countedStates =
  'content_states as state join content on content.environment_id = state.environment_id and content.id = state.content_id'

/**
 * The content of each row, as a look-up by its key: see `findForms`. With a join PostgreSQL read the content of the
 * environment from its beginning for every user, and sorted what it had found of the user.
 */
export const contentOf = (row: string, environmentId: string) => lookedUp('content', environmentId, `${row}.content_id`)

/** The same for its version, as `version`. */
export const versionOf = (row: string, environmentId: string) =>
  lookedUp('content_versions', environmentId, `${row}.version_id`, 'version')

function lookedUp(table: string, environmentId: string, id: string, name = table): string {
  return `cross join lateral (
    select * from ${table} as stored where stored.environment_id = ${environmentId} and stored.id = ${id} offset 0) as ${name}`
}

/** The columns of `countedStates`, by their names in the table. */
export const countedColumns = {
  started: `(${started})`,
  first_started_at: `(${since('first_started_at')})`,
  last_started_at: `(case when ${isRestarted} then ${since('previous_started_at')} else ${since('last_started_at')} end)`,
  previous_started_at: `(case when ${isRestarted} then null else ${since('previous_started_at')} end)`,
  completed_at: `(${since('completed_at')})`,
  dismissed_at: `(${since('dismissed_at')})`,
  last_ended_at: '(state.last_ended_at)',
  active_session_id: `(case when ${isOver} then null else state.active_session_id end)`,
} as const
