import type { AuditEntry } from '../../contract/dashboard/audit.ts'
import { looksLikeFormula } from '../../contract/spreadsheets.ts'
import { type AuditFilter, type AuditRow, findAuditEntry, listAuditEntries } from '../audit/queries.ts'
import type { Database } from '../database/database.ts'
import { errors } from '../errors.ts'
import { type DashboardHandlers, Raw } from './call.ts'
import type { DashboardParts } from './parts.ts'
import { uuidOf } from './uuid.ts'

const MOST_EXPORTED = 10_000
const PORTION = 50

interface Filters {
  actor_kind?: AuditRow['actor_kind']
  actor_id?: string
  action?: string
  target_id?: string
  environment?: string
  since?: string
  until?: string
}

/** Who did what, newest first. */
export function auditHandlers({
  services: { database },
}: DashboardParts): Pick<DashboardHandlers, 'listAuditEntries' | 'getAuditEntry' | 'exportAuditLog'> {
  return {
    listAuditEntries: async ({ grant, query }) => {
      const { limit = 50, cursor } = query
      const after = cursor === undefined ? undefined : uuidOf(cursor)
      const filter = { ...filterOf(query), after, limit: limit + 1 }
      const { rows, isCut } = await listAuditEntries(database, grant.accountId, filter)
      const shown = rows.slice(0, limit)
      const last = isCut || rows.length > limit ? shown.at(-1) : undefined
      return { data: shown.map(entryOutput), next: last?.id ?? null }
    },

    getAuditEntry: async ({ grant, params }) => {
      const id = uuidOf(params.entry_id)
      const row = id === undefined ? undefined : await findAuditEntry(database, grant.accountId, id)
      if (!row) throw errors.gone('Entry', params.entry_id)
      return entryOutput(row)
    },

    exportAuditLog: async ({ grant, query }) => {
      return new Raw({
        contentType: 'text/csv; charset=utf-8',
        headers: { 'content-disposition': 'attachment; filename="audit-log.csv"' },
        body: csvOf(database, grant.accountId, filterOf(query)),
      })
    },
  }
}

function filterOf({ actor_kind, actor_id, target_id, ...same }: Filters): Omit<AuditFilter, 'limit'> {
  const { action, environment, since, until } = same
  return { actorKind: actor_kind, actorId: actor_id, action, targetId: target_id, environment, since, until }
}

function entryOutput({ before, after, ...entry }: AuditRow): AuditEntry {
  return {
    ...entry,
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
  }
}

const columns = [
  'at',
  'actor_kind',
  'actor_id',
  'actor_name',
  'action',
  'target_kind',
  'target_id',
  'target_name',
  'environment',
  'address',
  'request_id',
  'before',
  'after',
] as const satisfies (keyof AuditRow)[]

/** In portions of bounded bytes. */
async function* csvOf(
  database: Database,
  accountId: number,
  filter: Omit<AuditFilter, 'limit'>,
): AsyncIterable<string> {
  yield `${columns.join(',')}\r\n`
  let after: string | undefined
  for (let exported = 0; exported < MOST_EXPORTED; ) {
    const limit = Math.min(PORTION, MOST_EXPORTED - exported)
    const { rows, isCut } = await listAuditEntries(database, accountId, { ...filter, after, limit })
    for (const row of rows) yield `${columns.map((column) => csvField(row[column])).join(',')}\r\n`
    exported += rows.length
    after = rows.at(-1)?.id
    if (rows.length < PORTION && !isCut) return
  }
}

function csvField(value: string | null): string {
  const text = value ?? ''
  const safe = looksLikeFormula(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
