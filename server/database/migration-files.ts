import { readdir, readFile } from 'node:fs/promises'
import { StartupError } from '../startup-error.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

/**
 * The schema of the first release. From here on every migration leaves the version before it able to serve
 * (test/migrations.test.ts), so nodes are upgraded one by one. Before it tables moved and columns changed.
 */
export const FIRST_RELEASE = 40

export interface Migration {
  version: number
  name: string
  statements: string[]
  /** False for a file with the line `-- no transaction`, as `create index concurrently` needs it. Such a file can be repeated. */
  isTransaction: boolean
}

/** The migrations of this code up to a version (the latest unless given), in order. They only ever go forward. */
export async function readMigrations(upTo = Number.POSITIVE_INFINITY): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  refuseSameNumber(names)
  const migrations = await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, FOLDER), 'utf8')
      return {
        version: Number.parseInt(name, 10),
        name: name.replace(/\.sql$/, ''),
        statements: split(sql),
        isTransaction: !/^-- no transaction$/m.test(sql),
      }
    }),
  )
  return migrations.filter(({ version }) => version <= upTo)
}

/** Only the first of two migrations with one number would ever be applied. */
export function refuseSameNumber(names: readonly string[]): void {
  const byNumber = Map.groupBy(names, (name) => Number.parseInt(name, 10))
  const same = [...byNumber.values()].find(({ length }) => length > 1)
  if (same) throw new StartupError(`The migrations ${same.join(' and ')} have the same number: renumber one of them.`)
}

/** One statement per query, as a sharded PostgreSQL wants it: a statement ends with a semicolon at the end of a line. */
function split(sql: string): string[] {
  return sql
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replace(/^--.*$/gm, '').trim() !== '')
}
