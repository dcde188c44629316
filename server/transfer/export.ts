import type pg from 'pg'
import type { EnvironmentId } from '../database/database.ts'
import { openSession } from '../database/session.ts'
import { isNotDeleted, isNotLeftOver } from '../deletions/pending.ts'
import { type SqlRendered, sqlOf } from '../render-sql.ts'

export type ExportKind = 'users' | 'groups' | 'memberships' | 'events' | 'all'

const PAGE = 1_000

/** In the order in which they can be imported: groups before the users who join them. */
const TABLES: Record<Exclude<ExportKind, 'all'>, Table> = {
  groups: { name: 'groups', kind: 'group', key: 'id' },
  users: { name: 'users', kind: 'user', key: 'id' },
  memberships: {
    name: 'group_memberships',
    kind: 'group_membership',
    key: 'user_id, group_id',
    isShown: (environmentId) => isNotLeftOver('item', `= ${environmentId}`),
  },
  events: { name: 'events', kind: 'event', key: 'id', isShown: () => isNotDeleted('item') },
}

interface Table {
  name: string
  kind: SqlRendered
  key: string
  /** Leaves out what is left of deletions; for a row `item`. */
  isShown?: (environmentId: EnvironmentId) => string
}

export interface ExportState {
  written: number
  /** As PostgreSQL estimates it. */
  expected: number
}

/** One snapshot of everything of a kind: one JSON object per line, in the form of the API. Memory use is constant. */
export async function* exportLines(
  connection: pg.ClientConfig,
  environmentId: EnvironmentId,
  kind: ExportKind,
  onProgress: (state: ExportState) => void,
): AsyncGenerator<string> {
  const client = await openSession(connection, { plan_cache_mode: 'force_custom_plan' })
  try {
    await client.query('begin isolation level repeatable read read only')
    const kinds = kind === 'all' ? (Object.keys(TABLES) as (keyof typeof TABLES)[]) : [kind]
    const state = { written: 0, expected: await countAll(client, environmentId, kinds) }
    for (const each of kinds) {
      for await (const { lines, rows } of pages(client, environmentId, each)) {
        state.written += rows
        onProgress(state)
        yield lines
      }
    }
  } finally {
    await client.end().catch(() => {})
  }
}

async function* pages(client: pg.Client, environmentId: EnvironmentId, name: keyof typeof TABLES) {
  const { name: table, kind, key, isShown } = TABLES[name]
  await client.query(
    `declare page no scroll cursor for
     select ${sqlOf(kind, 'item')} as line
       from ${table} as item
      where environment_id = ${environmentId} and ${isShown?.(environmentId) ?? 'true'}
      order by ${key}`,
  )
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${PAGE} from page`)
    if (rows.length > 0) yield { lines: `${rows.map(({ line }) => line).join('\n')}\n`, rows: rows.length }
    if (rows.length < PAGE) break
  }
  await client.query('close page')
}

async function countAll(client: pg.Client, environmentId: EnvironmentId, kinds: readonly (keyof typeof TABLES)[]) {
  let sum = 0
  for (const kind of kinds) {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
      `explain (format json) select from ${TABLES[kind].name} where environment_id = ${environmentId}`,
    )
    sum += rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
  }
  return sum
}
