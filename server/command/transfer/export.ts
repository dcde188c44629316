import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type PipelineOptions, Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { counted } from '../../counted.ts'
import { cannotWrite } from '../../files/cannot-write.ts'
import { nameNewFile, unfinishedName } from '../../files/new-file.ts'
import { StartupError } from '../../startup-error.ts'
import { type ExportKind, exportLines } from '../../transfer/export.ts'
import { type Command, command } from '../command.ts'
import { accountOption, findEnvironment } from '../environments/find.ts'
import { Interrupted, interruption } from '../interruption.ts'
import { ProgressLine } from '../progress-line.ts'
import { withDatabase } from '../with-database.ts'

const NOT_EXPORTED =
  'It has no keys, members, endpoints, deliveries, content, segments, sessions, counters and audit log: "npx usher backup" has all of it.'

export function exportCommand(kind: ExportKind): Command {
  const what = kind === 'all' ? 'definitions, groups, users, memberships and events' : kind
  return command({
    summary: `Write all ${what} of an environment as NDJSON, as they are at this moment`,
    parameters: [],
    options: {
      environment: { type: 'string', value: 'NAME', description: 'the environment', required: true },
      account: accountOption,
      output: {
        type: 'string',
        value: 'FILE',
        short: 'o',
        description: 'a new file, compressed when its name ends with .gz; standard output when it is not given',
      },
    },
    async run({ config, options }) {
      return await withDatabase(config(), async (database, connection) => {
        const environment = await findEnvironment(database, options.environment, options.account)
        const line = new ProgressLine()
        let written = 0
        const lines = exportLines(connection, environment.id, kind, (state) => {
          written = state.written
          line.show({ done: written, unit: 'objects', part: partOf(state) })
        })
        await write(Readable.from(lines), options.output).finally(() => line.end())
        const summary = `${counted(written, 'object')} of ${environment.name}`
        if (options.output === undefined) return { text: '', json: '', hint: `Exported ${summary}.`, printed: true }
        return {
          text: `${options.output} holds ${summary}.`,
          json: { file: resolve(options.output), objects: written },
          hint: `It holds personal data: keep it like the database itself. ${NOT_EXPORTED}`,
        }
      })
    },
  })
}

function partOf({ written, expected }: { written: number; expected: number }): number | undefined {
  return expected > written ? written / expected : undefined
}

/** Whoever reads it cannot see that something is missing. */
async function print(lines: Readable, options: PipelineOptions): Promise<void> {
  await pipeline(lines, process.stdout as Writable, { ...options, end: false }).catch((error: unknown) => {
    throw interruption.signal.aborted ? new Interrupted('Interrupted: the output is not complete.') : error
  })
}

async function write(lines: Readable, file: string | undefined): Promise<void> {
  const options = { signal: interruption.signal } as PipelineOptions
  if (file === undefined) return await print(lines, options)
  const isThere = () => new StartupError(`${file} is there already: name another file.`)
  if (await stat(file).catch(() => undefined)) throw isThere()
  const unfinished = unfinishedName(file)
  const target = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true })
  try {
    if (file.endsWith('.gz')) await pipeline(lines, createGzip(), target, options)
    else await pipeline(lines, target, options)
    if (!(await nameNewFile(unfinished, file))) throw isThere()
  } catch (error) {
    throw cannotWrite(file, error)
  } finally {
    await rm(unfinished, { force: true })
  }
}
