import type { Queryable } from '../database/database.ts'

/** What a node requests: `waiting` is the number of waiting requests, `slice` the budget that it wants in advance. */
export interface SliceRequest {
  accountId: number
  limit: number
  waiting: number
  slice: number
}

/** The granted budget, its minute, and how long that minute still lasts by the clock of the database. */
export interface Slice {
  granted: number
  used: number
  minute: number
  ms_left: number
}

/**
 * Waiting requests are served while there is budget. The budget in advance is at least a 64th of the rest, so that a
 * quiet account causes few queries. It is at most a quarter, so that no node holds what others need. Slices shrink to 1
 * as the budget goes down.
 */
const grantOutOf = (left: string) =>
  `least(${left}, greatest($3::int, least(greatest($4::int, ${left} / 64), (${left} + 3) / 4)))`

// When the clock steps back a little, as at a failover, the minute stays the same: a budget is never granted twice.
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

/** One atomic statement per slice: the lock of the row orders the nodes, and the minute is that of the database. */
export async function takeSlice(db: Queryable, { accountId, limit, waiting, slice }: SliceRequest): Promise<Slice> {
  const [row] = await db.query<Slice>(TAKE_SLICE, [accountId, limit, waiting, slice])
  return row as Slice
}

/** Returns the unused budget of a node, while its minute lasts. */
export async function giveBack(db: Queryable, accountId: number, minute: number, amount: number): Promise<void> {
  await db.query(
    'update rate_limits set used = used - $3::int where account_id = $1::int and minute = $2::bigint returning used',
    [accountId, minute, amount],
  )
}
