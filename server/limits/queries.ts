import type { Queryable } from '../database/database.ts'

/** What a node asks for: `waiting` requests stand there now, `slice` is what it would like to have in hand. */
export interface SliceRequest {
  accountId: number
  limit: number
  waiting: number
  slice: number
}

/** What a node got, out of which minute, and how long that minute still lasts by the database's clock. */
export interface Slice {
  granted: number
  used: number
  minute: number
  ms_left: number
}

/**
 * Requests that wait are served while there is budget. What is handed out ahead of need is at least a 64th of what is
 * left, so that a quiet account asks seldom, and at most a quarter, so that no node sits on what the others need: slices
 * shrink to 1 as the budget goes down.
 */
const grantOutOf = (left: string) =>
  `least(${left}, greatest($3::int, least(greatest($4::int, ${left} / 64), (${left} + 3) / 4)))`

// A clock that steps back a little, as at a failover, stays in the minute it was in: a budget is never given out twice.
const sameMinute = 'stored.minute between excluded.minute and excluded.minute + 1'
const usedBefore = `case when ${sameMinute} then stored.used else 0 end`
const granted = grantOutOf(`greatest($2::int - (${usedBefore}), 0)`)

const TAKE_SLICE = `
  insert into rate_limits as stored (account_id, minute, used, granted)
  select $1::int, floor(extract(epoch from clock_timestamp()) / 60)::bigint, slice.granted, slice.granted
    from (select ${grantOutOf('$2::int')} as granted) as slice
  on conflict (account_id) do update
     set minute = case when ${sameMinute} then stored.minute else excluded.minute end,
         used = (${usedBefore}) + ${granted},
         granted = ${granted}
  returning granted, used, minute,
            ((minute + 1) * 60000 - extract(epoch from clock_timestamp()) * 1000)::float8 as ms_left`

/** One atomic step per slice: the row's lock orders the nodes, and the minute is the database's, never a node's. */
export async function takeSlice(db: Queryable, { accountId, limit, waiting, slice }: SliceRequest): Promise<Slice> {
  const [row] = await db.query<Slice>(TAKE_SLICE, [accountId, limit, waiting, slice])
  return row as Slice
}

/** Gives back what a node did not use, while its minute lasts. */
export async function giveBack(db: Queryable, accountId: number, minute: number, amount: number): Promise<void> {
  await db.query(
    'update rate_limits set used = used - $3::int where account_id = $1::int and minute = $2::bigint returning used',
    [accountId, minute, amount],
  )
}
