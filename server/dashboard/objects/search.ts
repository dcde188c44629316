import type { Database, EnvironmentId } from '../../database/database.ts'
import type { ObjectTable } from '../../objects/tables.ts'
import { MOST_BYTES, type Scan } from './scan.ts'
import { type Found, findByPrefix, type SearchField } from './search-queries.ts'

/** Rows that an earlier field has shown are left out. At most this many rows are read to find others. */
const MOST_READ = 2_000
const SPARE = 20
/** The most rows of one statement: with the most attributes that an object may have they are 16 MiB. */
const UNMEASURED = 64

interface SearchStep {
  field: SearchField
  prefix: string
}

/** A search as one list: first by id, then by e-mail, then by name, each in the order of its index. */
export function searchScan(database: Database, environmentId: EnvironmentId, table: ObjectTable, query: string): Scan {
  const steps = stepsOf(table, query)
  return async (cursor, limit) => {
    const rows: Awaited<ReturnType<Scan>>['rows'] = []
    let [read, bytes] = [0, 0]
    let { index, after } = parseCursor(cursor)
    while (index < steps.length && rows.length < limit && read < MOST_READ && bytes < MOST_BYTES) {
      const step = steps[index] as SearchStep
      const wanted = Math.min(limit - rows.length + SPARE, UNMEASURED)
      const found = await findByPrefix(database, environmentId, table, step.field, step.prefix, after, wanted)
      read += found.length
      for (const row of found) {
        after = { key: row.key, id: row.id }
        if (wasShown(steps.slice(0, index), row)) continue
        const foundBy = index
        rows.push({ ...row, cursor: () => cursorOf(foundBy, row) })
        bytes += row.attributesJson.length
        if (rows.length === limit) return { rows, next: rows.at(-1)?.cursor() ?? null }
      }
      if (found.length === wanted) continue
      index += 1
      after = undefined
    }
    return { rows, next: index < steps.length ? encode([index, after?.key ?? '', after?.id ?? '']) : null }
  }
}

/**
 * The look-ups of a search. The indexes fold the case of ASCII letters only. For other letters the three usual spellings
 * are looked up.
 */
function stepsOf(table: ObjectTable, query: string): SearchStep[] {
  const lower = query.toLowerCase()
  const capital = [...lower].map((letter, index) => (index === 0 ? letter.toUpperCase() : letter)).join('')
  const spellings = [...new Set([query, lower, capital, query.toUpperCase()].map(foldAscii))]
  const emails = table.name === 'users' ? spellings.map((prefix) => ({ field: 'email', prefix }) as const) : []
  const names = spellings.map((prefix) => ({ field: 'name', prefix: `s${prefix}` }) as const)
  return [{ field: 'id', prefix: query }, ...emails, ...names]
}

function foldAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function wasShown(earlier: readonly SearchStep[], row: Found): boolean {
  if (earlier.length === 0) return false
  const { email } = JSON.parse(row.attributesJson) as { email?: unknown }
  return earlier.some(({ field, prefix }) => {
    if (field === 'id') return row.id.startsWith(prefix)
    if (field === 'email') return typeof email === 'string' && foldAscii(email).startsWith(prefix)
    return row.key.startsWith(prefix)
  })
}

function cursorOf(index: number, { key, id }: Found): string {
  return encode([index, key, id])
}

function encode(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** An invalid cursor gives the first page. */
function parseCursor(text: string | undefined): { index: number; after: { key: string; id: string } | undefined } {
  try {
    const [index, key, id] = JSON.parse(Buffer.from(text ?? '', 'base64url').toString())
    const isText = (part: unknown) => typeof part === 'string' && !part.includes('\0')
    if (!Number.isInteger(index) || index < 0 || !isText(key) || !isText(id)) return START
    return { index, after: key === '' ? undefined : { key, id } }
  } catch {
    return START
  }
}

const START = { index: 0, after: undefined }
