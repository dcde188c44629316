import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'

const GENERATORS = ['wrk', 'node', 'autocannon'] as const
/** The load generators. `node` is our own. */
export type Generator = (typeof GENERATORS)[number]

/** What was asked for on the command line and in the environment. */
export interface Options {
  only: string[]
  full: boolean
  json: boolean
  write: boolean
  help: boolean
  seconds: number
  turns: number
  /** Of the rows with a large database. */
  users: number
  eventsPerUser: number
  generator: Generator
  folder: string | undefined
  profile: string | undefined
  databaseUrl: string | undefined
}

export const HELP = `npm run bench -- [options]
  --only NAME     this row alone; may be given several times
  --full          also the rows that need millions of objects or many minutes
  --json          the results as JSON on standard output
  --write         the table into docs/benchmarks.md, and the figures of docs/scaling.md
  --seconds N     length of one measured slice (1)
  --turns N       how often each side takes its turn (3)
  --users N       how many users the large database of the rows many-… has (10,000,000)
  --events-per-user N   how many events each of them has (2)
  --generator G   who makes the load: wrk (when it is installed), node (else), or autocannon, which takes more of the CPU
  --folder DIR    where the temporary folder goes; it should be on a real disk
  --profile DIR   a CPU profile of the server for each row; needs --only
DATABASE_URL: use this PostgreSQL instead of an embedded one; the databases made there are dropped at the end.
`

export function readOptions(args: string[], environment: NodeJS.ProcessEnv): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      full: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '1' },
      turns: { type: 'string', default: '3' },
      users: { type: 'string', default: '10000000' },
      'events-per-user': { type: 'string', default: '2' },
      generator: { type: 'string' },
      folder: { type: 'string' },
      profile: { type: 'string' },
    },
  })
  const { only, full, json, write, help, folder, profile } = values
  if (profile !== undefined && only.length === 0) throw new Error('--profile needs --only NAME: one row at a time')
  if (write && only.length > 0) throw new Error('--write needs all rows: leave --only out')
  return {
    only,
    full,
    json,
    write,
    help,
    folder,
    profile,
    seconds: positive('--seconds', values.seconds),
    turns: positive('--turns', values.turns),
    users: positive('--users', values.users),
    eventsPerUser: positive('--events-per-user', values['events-per-user']),
    generator: chooseGenerator(values.generator, environment.PATH),
    databaseUrl: environment.DATABASE_URL?.trim() || undefined,
  }
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`${name} ${text} is not a number above 0`)
  return value
}

function chooseGenerator(name: string | undefined, path = ''): Generator {
  if (name === undefined) return isInstalled('wrk', path) ? 'wrk' : 'node'
  const generator = GENERATORS.find((each) => each === name)
  if (!generator) throw new Error(`--generator ${name}: there are ${GENERATORS.join(', ')}`)
  return generator
}

function isInstalled(program: string, path: string): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
