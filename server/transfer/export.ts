import type { Readable } from 'node:stream'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { EnvironmentId } from '../database/database.ts'
import { openSession } from '../database/session.ts'
import type { ExportedTable } from '../database/tables.ts'
import { isNotDeleted, isNotLeftOver } from '../deletions/pending.ts'
import { sqlOf } from '../objects/render-sql.ts'
import { definitionSql } from './definition-sql.ts'

export type ExportKind = 'definitions' | 'users' | 'groups' | 'memberships' | 'events' | 'all'

interface Export {
  kind: Exclude<ExportKind, 'all'>
  /** The SQL of the line of a row `item`. */
  line: string
  key: string
  /** Leaves out what is left of deletions; for a row `item`. */
  isShown?: (environmentId: EnvironmentId) => string
}

/** In the order in which they can be imported: types before the values that have them, groups before the users who join them. */
const EXPORTS: Record<ExportedTable, Export> = {
  attribute_definitions: { kind: 'definitions', line: definitionSql.attribute_definitions, key: 'scope, name' },
  event_definitions: { kind: 'definitions', line: definitionSql.event_definitions, key: 'name' },
  groups: { kind: 'groups', line: sqlOf('group', 'item'), key: 'id' },
  users: { kind: 'users', line: sqlOf('user', 'item'), key: 'id' },
  group_memberships: {
    kind: 'memberships',
    line: sqlOf('group_membership', 'item'),
    key: 'user_id, group_id',
    isShown: (environmentId) => isNotLeftOver('item', `= ${environmentId}`),
  },
  events: {
    kind: 'events',
    line: sqlOf('event', 'item'),
    key: 'id',
    isShown: (id) => isNotDeleted('item', String(id)),
  },
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
    const tables = Object.keys(EXPORTS) as ExportedTable[]
    const exported = tables.filter((table) => kind === 'all' || EXPORTS[table].kind === kind)
    const state = { written: 0, expected: await countAll(client, environmentId, exported) }
    for (const each of exported) {
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

function copy(client: pg.Client, environmentId: EnvironmentId, table: ExportedTable): Readable {
  const { line, key, isShown } = EXPORTS[table]
  const select = `
    select ${line} as line
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

async function countAll(client: pg.Client, environmentId: EnvironmentId, tables: readonly ExportedTable[]) {
  let sum = 0
  for (const table of tables) {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
      `explain (format json) select from ${table} where environment_id = ${environmentId}`,
    )
    sum += rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
  }
  return sum
}
