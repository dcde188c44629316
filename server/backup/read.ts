import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { type Migration, readMigrations } from '../database/migration-files.ts'
import { linesIn } from '../files/lines.ts'
import { StartupError } from '../startup-error.ts'

/** Reads the file of a backup line by line. An incomplete file is refused. */

export type Lines = AsyncIterator<string>

const MEGABYTE = 1024 * 1024

export async function* linesOf(
  file: string,
  onProgress: (megabytes: number, part: number) => void = () => {},
): AsyncGenerator<string> {
  const size = (await stat(file).catch(() => undefined))?.size ?? 1
  const source = createReadStream(file)
  const text = source
    .on('error', (error) => text.destroy(error))
    .pipe(createGunzip())
    .setEncoding('utf8')
  const reported = async function* () {
    for await (const chunk of text) {
      onProgress(Math.floor(source.bytesRead / MEGABYTE), source.bytesRead / size)
      yield chunk as string
    }
  }
  yield* linesIn(reported())
}

export const broken = (file: string) =>
  new StartupError(`${file} is not a complete backup of Usher; nothing was changed.`)

async function nextLine(input: Lines, file: string): Promise<string> {
  try {
    const { value, done } = await input.next()
    if (!done) return value
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new StartupError(`There is no file ${file}.`)
  }
  throw broken(file)
}

export async function nextJson(input: Lines, file: string): Promise<Record<string, unknown>> {
  const line = await nextLine(input, file)
  try {
    return JSON.parse(line)
  } catch {
    throw broken(file)
  }
}

export interface Header {
  /** Those that the database had: a migration below the latest one may be missing. */
  migrations: Migration[]
  createdAt: number
}

export async function readHeader(input: Lines, file: string): Promise<Header> {
  const { usher_backup, schema, created_at, migrations: versions } = await nextJson(input, file)
  const createdAt = Date.parse(String(created_at))
  if (usher_backup !== 1 || typeof schema !== 'number' || Number.isNaN(createdAt)) throw broken(file)
  const known = await readMigrations()
  const latest = known.at(-1)?.version ?? 0
  if (schema > latest)
    throw new StartupError(
      `${file} has schema version ${schema}, and this Usher knows versions up to ${latest}: install a newer Usher.`,
    )
  return { migrations: migrationsOf(known, versions ?? upTo(schema, known), file), createdAt }
}

/** An earlier backup does not list its migrations. */
function upTo(schema: number, known: readonly Migration[]): number[] {
  return known.map(({ version }) => version).filter((version) => version <= schema)
}

function migrationsOf(known: readonly Migration[], versions: unknown, file: string): Migration[] {
  if (!Array.isArray(versions)) throw broken(file)
  const foreign = versions.find((version) => known.every((migration) => migration.version !== version))
  if (foreign !== undefined)
    throw new StartupError(`${file} has the migration ${foreign}, which this Usher lacks: install a newer Usher.`)
  return known.filter(({ version }) => versions.includes(version))
}

export async function* rowsOf(input: Lines, file: string): AsyncGenerator<string> {
  for (;;) {
    const line = await nextLine(input, file)
    if (line === '\\.') return
    yield `${line}\n`
  }
}
