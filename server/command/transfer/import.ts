import { isPlanName, plans } from '../../../contract/plans.ts'
import type { EnvironmentRow } from '../../accounts/environment-queries.ts'
import { listAccounts } from '../../accounts/queries.ts'
import { count, counted } from '../../counted.ts'
import { readClock } from '../../database/clock.ts'
import type { Database } from '../../database/database.ts'
import { cannotWrite } from '../../files/cannot-write.ts'
import type { Config } from '../../settings/config.ts'
import { StartupError } from '../../startup-error.ts'
import type { ImportOptions, ImportState } from '../../transfer/import.ts'
import { withImportLock } from '../../transfer/import-lock.ts'
import type { Format, ImportKind } from '../../transfer/records.ts'
import { RejectedFile, rejectedPathOf } from '../../transfer/rejected-file.ts'
import { checkSource, openSource, type Source, STDIN } from '../../transfer/source.ts'
import { type Command, command, UsageError } from '../command.ts'
import { accountOption, findEnvironment } from '../environments/find.ts'
import { Interrupted, interruption } from '../interruption.ts'
import { commandLog } from '../log.ts'
import { ProgressLine } from '../progress-line.ts'
import { withDatabase } from '../with-database.ts'

const WHAT: Record<ImportKind, string> = {
  users: 'users and exported memberships',
  groups: 'groups',
  events: 'events with their own times',
  definitions: 'exported types and names of attributes and events',
  all: 'the output of "npx usher export all"',
}

export function importCommand(kind: ImportKind): Command {
  return command({
    summary: `Load ${WHAT[kind]} from files (NDJSON or CSV, also gzip; - is standard input). A repeat continues where it stopped`,
    parameters: ['FILE…'],
    options: {
      environment: { type: 'string', value: 'NAME', description: 'the environment that they go into', required: true },
      account: accountOption,
      format: {
        type: 'string',
        value: 'FORMAT',
        description: 'ndjson or csv; by the name of the file when it is not given',
      },
      'dry-run': { type: 'boolean', description: 'check every line, and store nothing' },
      notify: { type: 'boolean', description: 'also send webhooks about them' },
      again: { type: 'boolean', description: 'import files once more that were imported before' },
    },
    async run({ config, parameters, options }) {
      const files = parameters as readonly string[]
      const formats = files.map((file) => formatOf(file, options.format))
      const imported = await importAll(config(), kind, files, formats, options)
      // A repeat fails as the run before it: what was refused is still not stored.
      const refused = imported.reduce((sum, each) => sum + each.refused + each.refused_before, 0)
      return {
        text: imported.map((each) => describe(each, options['dry-run'] === true)).join('\n'),
        json: options['dry-run'] === true ? imported.map(asDryRun) : imported,
        failed: refused > 0,
      }
    },
  })
}

interface Imported extends Omit<ImportState, 'bytesRead' | 'refusedBefore'> {
  file: string
  rejected_file: string | null
  /** Of the skipped lines: those that an earlier run refused. */
  refused_before: number
}

/** A dry run stores nothing: what it could store has a name of its own. */
function asDryRun({ stored, ...rest }: Imported) {
  return { ...rest, stored: 0, storable: stored }
}

type Options = Readonly<Record<string, string | boolean | undefined>>

async function importAll(
  config: Config,
  kind: ImportKind,
  files: readonly string[],
  formats: Format[],
  options: Options,
) {
  // The validation of the API takes 0.4 s to load. Other commands do not wait for it.
  const { importSource } = await import('../../transfer/import.ts')
  for (const file of files) await checkSource(file)
  return await withDatabase(config, async (database, connection) => {
    const environment = await findEnvironment(database, options.environment as string, options.account as string)
    const now = await readClock(database)
    const rules = { kind, notify: options.notify === true, now, ...(await planOf(database, environment)) }
    const imported: Imported[] = []
    for (const [index, file] of files.entries()) {
      const source = await open(file)
      const rejected = new RejectedFile(rejectedPathOf(file, source))
      const line = new ProgressLine()
      let lines = 0
      const importOptions: ImportOptions = {
        database,
        log: commandLog,
        environmentId: environment.id,
        rules,
        rejected,
        format: formats[index] as Format,
        dryRun: options['dry-run'] === true,
        again: options.again === true,
        signal: interruption.signal,
        onProgress: (progress) => {
          lines = progress.lines
          line.show(stepOf(source, progress))
        },
      }
      const state = await withImportLock(connection, source, () => importSource(source, importOptions))
        .catch((error) => stop(aboutRejected(error, file, rejected), file, options['dry-run'] === true ? 0 : lines))
        .finally(() => line.end())
      const { bytesRead: _, refusedBefore: refused_before, ...counts } = state
      const hasRefused = counts.refused + refused_before > 0
      imported.push({ file, ...counts, refused_before, rejected_file: hasRefused ? rejected.path : null })
    }
    return imported
  })
}

/** What is wrong with the file of the refused lines, on a full disk perhaps. Other errors stay as they are. */
function aboutRejected(error: unknown, file: string, rejected: RejectedFile): unknown {
  return (error as NodeJS.ErrnoException).path === file ? error : cannotWrite(rejected.path, error)
}

/** What was stored before an interruption stays. */
function stop(error: unknown, file: string, lines: number): never {
  if (error instanceof StartupError) throw new StartupError(`${file}: ${error.message}`)
  if (!interruption.signal.aborted || lines === 0) throw error
  const rest = file === STDIN ? '' : ' Run the same command again to continue.'
  throw new Interrupted(`Interrupted: the first ${counted(lines, 'line')} of ${file} are imported.${rest}`)
}

function stepOf({ bytes }: Source, { lines, refused, bytesRead }: ImportState) {
  const note = refused > 0 ? `${count(refused)} refused` : ''
  return { done: lines, unit: 'lines', part: bytes ? bytesRead / bytes : undefined, note }
}

async function open(file: string): Promise<Source> {
  try {
    return await openSource(file)
  } catch (error) {
    if (error instanceof StartupError) throw new StartupError(`${file}: ${error.message} Nothing of it is stored.`)
    throw new StartupError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

async function planOf(database: Database, environment: EnvironmentRow) {
  const account = (await listAccounts(database)).find(({ id }) => id === environment.account_id)
  const planName = account?.plan ?? ''
  return { planName, groups: isPlanName(planName) ? plans[planName].groups : true }
}

function formatOf(file: string, given: string | undefined): Format {
  const format = given ?? (/\.csv(\.gz)?$/i.test(file) ? 'csv' : 'ndjson')
  if (format === 'csv' || format === 'ndjson') return format
  throw new UsageError(`--format ${format} is not one of ndjson, csv.`)
}

function describe(imported: Imported, dryRun: boolean): string {
  const { file, lines, stored, refused, refused_before, skipped, rejected_file } = imported
  if (stored + refused === 0 && skipped > 0) return describeRepeat(imported)
  const verb = dryRun ? 'can be stored' : 'stored'
  const before = skipped > 0 ? `, ${counted(skipped, 'line')} before` : ''
  const allRefused = refused + refused_before
  const where = allRefused === 0 ? '' : `, ${count(allRefused)} refused (see ${rejected_file})`
  return `${file}: ${counted(lines, 'line')}, ${count(stored)} ${verb}${before}${where}.`
}

function describeRepeat({ file, skipped, refused_before, rejected_file }: Imported): string {
  const all = skipped === 1 ? 'the line was' : `all ${count(skipped)} lines were`
  // The rest was not all stored: empty lines and the first row of a CSV file are lines, too.
  const outcome =
    refused_before === 0
      ? `${all} imported before`
      : `${all} read before: ${count(refused_before)} refused (see ${rejected_file})`
  return `${file}: ${outcome}; --again imports the file once more.`
}
