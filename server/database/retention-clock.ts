import type { Queryable } from './queryable.ts'

/** A clock that is ahead by more is not believed at once. */
const MOST_AHEAD_MS = 86_400_000
const LOOK_MS = 3_600_000

interface Row {
  at: number
  seenAt: number
}

/**
 * The time by which data counts as old, in milliseconds: the clock of the database. When that is more than a day ahead of the
 * last look, it was set, or no server was running. Then this time follows by a day an hour, as long as the clock keeps
 * showing that: a clock that jumps for some hours makes nothing old.
 */
export async function retentionTime(db: Pick<Queryable, 'query'>, clock?: () => number): Promise<number> {
  const now = clock?.() ?? (await readNow(db))
  const row = await findRow(db)
  if (!row) {
    await insertRow(db, now)
    return now
  }
  const next = nextOf(row, now)
  if (next !== row) await updateRow(db, row, next)
  return now - next.at <= MOST_AHEAD_MS ? now : next.at
}

function nextOf(row: Row, now: number): Row {
  if (now < row.at) return { at: now, seenAt: now }
  const sinceMs = now - row.seenAt
  if (sinceMs >= 0 && sinceMs < LOOK_MS) return row
  if (now - row.at <= MOST_AHEAD_MS) return { at: now, seenAt: now }
  // Longer than from one look to the next: the clock was set in between, or nobody looked.
  const wasWatched = sinceMs < 2 * LOOK_MS
  return { at: wasWatched ? row.at + MOST_AHEAD_MS : row.at, seenAt: now }
}

async function readNow(db: Pick<Queryable, 'query'>): Promise<number> {
  const [row] = await db.query<{ ms: number }>(
    'select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    [],
  )
  return row?.ms as number
}

async function findRow(db: Pick<Queryable, 'query'>): Promise<Row | undefined> {
  const [row] = await db.query<Row & Record<string, unknown>>(
    `select (extract(epoch from at) * 1000)::float8 as at, (extract(epoch from seen_at) * 1000)::float8 as "seenAt"
       from retention_clock`,
    [],
  )
  return row
}

async function insertRow(db: Pick<Queryable, 'query'>, now: number): Promise<void> {
  await db.query(
    `insert into retention_clock (at, seen_at)
     values (to_timestamp($1::float8 / 1000), to_timestamp($1::float8 / 1000))
     on conflict do nothing`,
    [now],
  )
}

/** One of several nodes that look at the same moment changes it. */
async function updateRow(db: Pick<Queryable, 'query'>, before: Row, { at, seenAt }: Row): Promise<void> {
  await db.query(
    `update retention_clock
        set at = to_timestamp($2::float8 / 1000), seen_at = to_timestamp($3::float8 / 1000)
      where seen_at = to_timestamp($1::float8 / 1000)`,
    [before.seenAt, at, seenAt],
  )
}
