import type { Condition } from '../../contract/conditions/condition.ts'
import { isEqual } from '../../contract/content/differences.ts'
import type { Meanings } from '../conditions/compile.ts'
import { areSelectedSql, isSelectedSql, type MembersContext, needsGroup } from '../conditions/members-sql.ts'
import { Parameters } from '../conditions/parameters.ts'
import { inScanTurn } from '../conditions/scan-turns.ts'
import type { EnvironmentId, Reader } from '../database/database.ts'
import { countedColumns, countedStates, overBecause } from '../history/counted.ts'

/** Two conditions over users, of which either may be missing: then it is everybody, or nobody. */
export interface ReachRequest extends Meanings {
  environmentId: EnvironmentId
  before: Condition | 'everybody' | 'nobody'
  after: Condition | 'everybody' | 'nobody'
  now: number
}

export interface ReachStep {
  looked: number
  last: string | null
  /** How many fit the later condition. */
  matches: number
  gains: number
  losses: number
  gained: string[]
  lost: string[]
}

/**
 * Who newly fits and who no longer does, among the next users after an id. `offset 0` keeps each condition asked once for a
 * user: without it the planner writes it into every count, and reads the events once for each.
 */
export async function countReach(
  db: Reader,
  { environmentId, before, after, segments, keptDays, now }: ReachRequest,
  afterId: string,
  users: number,
  samples: number,
): Promise<ReachStep> {
  const parameters = new Parameters()
  const context: MembersContext = { scope: 'user', parameters, segments, keptDays, now, isOfSome: true }
  const [start, limit, most] = [
    parameters.add(afterId, 'text'),
    parameters.add(users, 'int'),
    parameters.add(samples, 'int'),
  ]
  const fits = (parts: Parts) => {
    if (parts === 'nobody' || parts.length === 0) return String(parts !== 'nobody')
    return `coalesce(${isSelectedSql({ all: parts }, context)}, false)`
  }
  const common = commonParts(before, after, segments)
  const [earlier, later] = [othersOf(before, common), othersOf(after, common)]
  const looked = `(select *, ${fits(common)} as is_common
                     from (select * from users where environment_id = $1::int and id > ${start}
                            order by id limit ${limit}) as object
                   offset 0)`
  const isOfGroup = (parts: Parts): parts is Condition[] =>
    parts !== 'nobody' && parts.some((part) => needsGroup(part, segments))
  const asked =
    isOfGroup(earlier) && isOfGroup(later)
      ? areSelectedSql(looked, 'object.is_common', { before: { all: earlier }, after: { all: later } }, context)
      : `select object.id, is_common and ${fits(earlier)} as before, is_common and ${fits(later)} as after
           from ${looked} as object`
  const text = `
     select count(*)::int as looked, max(id) as last,
            count(*) filter (where after)::int as matches,
            count(*) filter (where after and not before)::int as gains,
            count(*) filter (where before and not after)::int as losses,
            coalesce((array_agg(id order by id) filter (where after and not before))[1:${most}], '{}') as gained,
            coalesce((array_agg(id order by id) filter (where before and not after))[1:${most}], '{}') as lost
       from (${asked} offset 0) as asked`
  const [step] = await inScanTurn(db, environmentId, () =>
    db.queryUnprepared<ReachStep & Record<string, unknown>>(text, [environmentId, ...parameters.values]),
  )
  return step as ReachStep
}

/** All of them have to hold. */
type Parts = Condition[] | 'nobody'

function partsOf(condition: ReachRequest['before']): Parts {
  if (condition === 'nobody') return 'nobody'
  if (condition === 'everybody') return []
  return 'all' in condition ? condition.all : [condition]
}

/** What both need. Whoever does not fit it is neither gained nor lost. Parts about a group have to fit the same one. */
function commonParts(
  before: ReachRequest['before'],
  after: ReachRequest['after'],
  segments: ReachRequest['segments'],
): Condition[] {
  const [earlier, later] = [partsOf(before), partsOf(after)]
  if (earlier === 'nobody' || later === 'nobody') return []
  return later.filter((part) => !needsGroup(part, segments) && earlier.some((other) => isEqual(part, other)))
}

function othersOf(condition: ReachRequest['before'], common: readonly Condition[]): Parts {
  const parts = partsOf(condition)
  return parts === 'nobody' ? parts : parts.filter((part) => !common.some((other) => isEqual(part, other)))
}

/** How many users there are, as counted lately. */
export async function countUsers(db: Reader, environmentId: EnvironmentId): Promise<number> {
  const [row] = await db.query<{ users: number }>(
    `select coalesce(sum(users), 0)::float8 as users from environment_totals where environment_id = $1::int`,
    [environmentId],
  )
  return row?.users ?? 0
}

/**
 * The open sessions of a content in which somebody still is: without those that are completed, which may stay open for as long
 * as nobody ends them, and those that a publication has let end, whose rows follow in steps.
 */
const OPEN_SESSIONS = `content_sessions as session
  join content on content.environment_id = session.environment_id and content.id = session.content_id
 where session.environment_id = $1::int and session.content_id = $2::uuid and session.ended_at is null
   and session.completed_at is null
   and (${overBecause('session', 'content')}) is null`

/** Users whose session of this content is under way. */
export async function countInside(db: Reader, environmentId: EnvironmentId, contentId: string): Promise<number> {
  const [row] = await db.query<{ inside: number }>(`select count(*)::int as inside from ${OPEN_SESSIONS}`, [
    environmentId,
    contentId,
  ])
  return row?.inside ?? 0
}

/** When the oldest open session of a content began, and how many users have completed it. */
export async function findInside(
  db: Reader,
  environmentId: EnvironmentId,
  contentId: string,
): Promise<{ oldest: string | null; completed: number }> {
  const [row] = await db.query<{ oldest: string | null; completed: number }>(
    `select (select min(session.created_at) from ${OPEN_SESSIONS}) as oldest,
            (select count(*)::int from ${countedStates}
              where state.environment_id = $1::int and state.content_id = $2::uuid
                and ${countedColumns.completed_at} is not null) as completed`,
    [environmentId, contentId],
  )
  return row ?? { oldest: null, completed: 0 }
}
