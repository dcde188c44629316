import type { Readable } from 'node:stream'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { EnvironmentId } from '../database/database.ts'
import { openSession } from '../database/session.ts'
import { isNotDeleted, isNotLeftOver } from '../deletions/pending.ts'
import { type SqlRendered, sqlOf } from '../render-sql.ts'

export type ExportKind = 'users' | 'groups' | 'memberships' | 'events' | 'all'

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
  events: { name: 'events', kind: 'event', key: 'id', isShown: (id) => isNotDeleted('item', String(id)) },
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
): AsyncGenerator<Buffer> {
  const client = await openSession(connection, { plan_cache_mode: 'force_custom_plan' })
  try {
    await client.query('begin isolation level repeatable read read only')
    const kinds = kind === 'all' ? (Object.keys(TABLES) as (keyof typeof TABLES)[]) : [kind]
    const state = { written: 0, expected: await countAll(client, environmentId, kinds) }
    for (const each of kinds) {
      for await (const chunk of copy(client, environmentId, each)) {
        state.written += countLines(chunk)
        onProgress(state)
        yield chunk
      }
    }
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * COPY as CSV writes a value as it is unless it has a delimiter, a quote or the end of a line in it. The first two are
 * control characters here, and JSON has none, so the output is the lines of the export, and this process parses no
 * rows.
 */
const AS_LINES = `(format csv, delimiter e'\\x01', quote e'\\x02')`

function copy(client: pg.Client, environmentId: EnvironmentId, name: keyof typeof TABLES): Readable {
  const { name: table, kind, key, isShown } = TABLES[name]
  const select = `
    select ${sqlOf(kind, 'item')} as line
      from ${table} as item
     where environment_id = ${environmentId} and ${isShown?.(environmentId) ?? 'true'}
     order by ${key}`
  return client.query(copyTo(`copy (${select}) to stdout with ${AS_LINES}`))
}

const LINE_FEED = 10

function countLines(chunk: Buffer): number {
  let lines = 0
  for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, end + 1)) lines += 1
  return lines
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
