import type pg from 'pg'
import { type DistributedTable, distributedTables } from './tables.ts'
import { readStates } from './topology.ts'

/** The tables that are not distributed yet, in the order in which they can be distributed. */
export async function undistributedTables(client: pg.ClientBase): Promise<DistributedTable[]> {
  const distributed = new Set((await readStates(client)).map(({ name }) => name))
  return distributedTables.filter((name) => !distributed.has(name))
}

/** Of each table. Undefined when the first is not distributed. */
export async function countShards(client: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ shards: number }>(
    'select count(*)::int as shards from pg_dist_shard where logicalrelid = $1::text::regclass',
    [distributedTables[0]],
  )
  return rows[0]?.shards || undefined
}

/**
 * Distributes a table with its rows, in a separate transaction. All are colocated with the first, whose shards are
 * shared with no table of another application.
 */
async function distributeTable(client: pg.ClientBase, table: DistributedTable, shards?: number): Promise<void> {
  const [first] = distributedTables
  await client.query('begin')
  try {
    // A table that foreign keys refer to needs one connection to each worker for all of its shards.
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
    if (table === first)
      await client.query(
        `select create_distributed_table($1::text::regclass, 'environment_id', colocate_with => 'none',
                shard_count => coalesce($2::int, current_setting('citus.shard_count')::int))`,
        [table, shards ?? null],
      )
    else
      await client.query(
        `select create_distributed_table($1::text::regclass, 'environment_id', colocate_with => $2::text)`,
        [table, first],
      )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Distributes the remaining tables, and gives every environment its anchor (see `insertForms`). */
export async function distributeTables(
  client: pg.ClientBase,
  { shards, onTable = () => {} }: { shards?: number | undefined; onTable?: (table: DistributedTable) => void } = {},
): Promise<DistributedTable[]> {
  const left = await undistributedTables(client)
  for (const table of left) {
    onTable(table)
    await distributeTable(client, table, shards)
  }
  await client.query(
    'insert into environment_anchors (environment_id) select id from environments on conflict do nothing',
  )
  return left
}
