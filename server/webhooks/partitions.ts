import type pg from 'pg'
import { DAY_MS } from '../../contract/units.ts'
import { inClientTransaction } from '../database/client-transaction.ts'
import type { Queryable } from '../database/queryable.ts'
import { leastIdAt } from '../ids.ts'

/** The tables that are kept for a time, in a partition for each day, or for each week on a sharded PostgreSQL. */
export const PARTITIONED = ['webhook_notifications', 'webhook_attempts'] as const
export type Partitioned = (typeof PARTITIONED)[number]

export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS)
}

function partitionName(table: Partitioned, day: number): string {
  return `${table}_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`
}

/** A partition holds the ids of its days, from the first to the one before `to`. */
export interface Partition {
  from: number
  to: number
}

/** Without the default partition, the oldest first. */
export async function findPartitions(db: Pick<Queryable, 'query'>, table: Partitioned): Promise<Partition[]> {
  const rows = await db.query<{ bounds: string }>(
    `select pg_get_expr(relpartbound, pg_class.oid) as bounds
       from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = $1::regclass`,
    [table],
  )
  return rows.flatMap(({ bounds }) => partitionOf(bounds) ?? []).toSorted((a, b) => a.from - b.from)
}

/** `FOR VALUES FROM ('019a…') TO ('019a…')` */
function partitionOf(bounds: string): Partition | undefined {
  const [from, to] = Array.from(bounds.matchAll(/'([0-9a-f]{8})-([0-9a-f]{4})-/g), ([, high, low]) =>
    dayOf(Number.parseInt(`${high}${low}`, 16)),
  )
  return from === undefined || to === undefined ? undefined : { from, to }
}

/** The partitions that are missing from a day to another one; each ends with its span, or where the next one begins. */
export function missingPartitions(
  existing: readonly Partition[],
  { from, to }: Partition,
  spanDays: number,
): Partition[] {
  const missing: Partition[] = []
  for (let day = from; day < to; ) {
    const covering = existing.find((each) => each.from <= day && day < each.to)
    const next = existing.find((each) => each.from > day)
    const end = Math.min(day - (day % spanDays) + spanDays, next?.from ?? Number.POSITIVE_INFINITY)
    if (!covering) missing.push({ from: day, to: end })
    day = covering?.to ?? end
  }
  return missing
}

/** Creates a partition in a separate transaction. */
export async function createPartition(client: pg.ClientBase, table: Partitioned, partition: Partition): Promise<void> {
  await inClientTransaction(client, () => addPartition(client, table, partition))
}

/**
 * Created separately and then attached: `create table … partition of` would stop all reads and writes of the parent,
 * `attach` stops none of them. Rows of its days that are in the default partition are moved: `attach` refuses them
 * there. While they are copied the default partition can be read; `attach` then locks it for as long as it scans what
 * is left.
 */
export async function addPartition(client: pg.ClientBase, table: Partitioned, partition: Partition): Promise<void> {
  const name = partitionName(table, partition.from)
  const [from, to] = [leastIdAt(partition.from * DAY_MS), leastIdAt(partition.to * DAY_MS)]
  const isOfIt = `id >= '${from}' and id < '${to}'`
  await client.query(`create table ${name} (like ${table} including all)`)
  await client.query(`lock table ${table}_default in share row exclusive mode`)
  await client.query(`insert into ${name} select * from ${table}_default where ${isOfIt}`)
  await client.query(`delete from ${table}_default where ${isOfIt}`)
  await client.query(`alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`)
}

export async function dropPartition(client: pg.ClientBase, table: Partitioned, { from }: Partition): Promise<void> {
  await client.query(`drop table ${partitionName(table, from)}`)
}

/** Deletes old rows of the default partition, which has only rows of days without a partition. */
export async function emptyDefaultPartition(
  client: pg.ClientBase,
  table: Partitioned,
  beforeDay: number,
): Promise<void> {
  await client.query(`delete from ${table}_default where id < $1::uuid`, [leastIdAt(beforeDay * DAY_MS)])
}
