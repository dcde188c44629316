import type pg from 'pg'
import { leastIdAt } from '../ids.ts'

/** The tables that are kept for a time, in a partition for each day. */
export const PARTITIONED = ['webhook_notifications', 'webhook_attempts'] as const
export type Partitioned = (typeof PARTITIONED)[number]

const DAY_MS = 86_400_000

export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS)
}

export function partitionName(table: Partitioned, day: number): string {
  return `${table}_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`
}

/** The day of a partition by its name; undefined for the default one. */
function dayOfPartition(table: Partitioned, name: string): number | undefined {
  const [, year, month, date] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
  const ms = Date.parse(`${year}-${month}-${date}T00:00:00Z`)
  return Number.isNaN(ms) || partitionName(table, dayOf(ms)) !== name ? undefined : dayOf(ms)
}

export async function findPartitionDays(client: pg.ClientBase, table: Partitioned): Promise<Set<number>> {
  const { rows } = await client.query<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass',
    [table],
  )
  return new Set(rows.map(({ name }) => dayOfPartition(table, name)).filter((day) => day !== undefined))
}

/** Makes the partition of a day in a transaction of its own. */
export async function createPartition(client: pg.ClientBase, table: Partitioned, day: number): Promise<void> {
  await client.query('begin')
  try {
    await addPartition(client, table, day)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/**
 * Made apart and then attached: `create table … partition of` would stop all reads and writes of the parent, `attach`
 * stops none of them. Rows of the day that are in the default partition are moved: `attach` refuses them there. While
 * they are copied the default partition can be read; `attach` then locks it for as long as it scans what is left.
 */
export async function addPartition(client: pg.ClientBase, table: Partitioned, day: number): Promise<void> {
  const name = partitionName(table, day)
  const [from, to] = [leastIdAt(day * DAY_MS), leastIdAt((day + 1) * DAY_MS)]
  const ofDay = `id >= '${from}' and id < '${to}'`
  await client.query(`create table ${name} (like ${table} including all)`)
  await client.query(`lock table ${table}_default in share row exclusive mode`)
  await client.query(`insert into ${name} select * from ${table}_default where ${ofDay}`)
  await client.query(`delete from ${table}_default where ${ofDay}`)
  await client.query(`alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`)
}

export async function dropPartition(client: pg.ClientBase, table: Partitioned, day: number): Promise<void> {
  await client.query(`drop table ${partitionName(table, day)}`)
}

/** The default partition holds only what no day was made for in time; the little that is too old there is deleted. */
export async function emptyDefaultPartition(
  client: pg.ClientBase,
  table: Partitioned,
  beforeDay: number,
): Promise<void> {
  await client.query(`delete from ${table}_default where id < $1::uuid`, [leastIdAt(beforeDay * DAY_MS)])
}
