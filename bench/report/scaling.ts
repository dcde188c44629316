import { readFile, writeFile } from 'node:fs/promises'

const FILE = new URL('../../docs/scaling.md', import.meta.url)

/** Puts the figures of docs/benchmarks.md into docs/scaling.md. */
export async function writeScaling(benchmarks: string): Promise<void> {
  await writeFile(FILE, scalingText(await readFile(FILE, 'utf8'), benchmarks))
}

/** The page with its paragraph `One machine` and the table of `A bigger machine` made from the table of the benchmark. */
export function scalingText(page: string, benchmarks: string): string {
  const measured = new Measured(benchmarks)
  return page
    .replace(/(## One machine\n\n).*/, (_, heading) => heading + oneMachine(measured))
    .replace(/\| requests per second \|(.*\n\|)*.*/, () => moreCores(measured))
}

/** The rows of the benchmark by what they do. */
const WORK = {
  event: 'POST /events, 10,000 users, 3 attributes',
  subscribed: 'POST /events with three matching subscriptions, deliveries running',
  knownUser: 'POST /users, existing user, 4 attributes',
  newUser: 'POST /users, new users',
  get: 'GET /users/:id',
  page: 'the same list, but every client another page of it',
  deliveries: 'deliveries a second, receiver and database on the same machine',
  stored: 'POST /events with 1 million events stored, against an empty table',
  deepPage: 'the 10,000th page against the first, 100,000 users, every order',
} as const

/** The columns of the table, as in `table.ts`. */
const COLUMN = { measured: 2, perSecond: 4, serverMicros: 9, postgresMicros: 11 } as const
const DELIVERY_MICROS = /^- deliveries: .*CPU µs per delivery: server ([\d,]+), PostgreSQL ([\d,]+)/m

class Measured {
  readonly #text: string
  readonly #rows: ReadonlyMap<string, string[]>

  constructor(text: string) {
    this.#text = text
    const cells = text.split('\n').map((line) => line.slice(2, -2).split(' | '))
    this.#rows = new Map(cells.map((row) => [row[0] as string, row]))
  }

  /** NaN when it was not measured. */
  figure(work: keyof typeof WORK, column: keyof typeof COLUMN): number {
    return numberOf(this.#rows.get(WORK[work])?.[COLUMN[column]])
  }

  micros(work: keyof typeof WORK): [server: number, postgres: number] {
    if (work !== 'deliveries') return [this.figure(work, 'serverMicros'), this.figure(work, 'postgresMicros')]
    const [, server, postgres] = DELIVERY_MICROS.exec(this.#text) ?? []
    return [numberOf(server), numberOf(postgres)]
  }
}

function numberOf(text = ''): number {
  return Number.parseFloat(text.replaceAll(',', ''))
}

function oneMachine(measured: Measured): string {
  const rate = (work: keyof typeof WORK) => rounded(measured.figure(work, 'perSecond'))
  const [stored, deep] = [measured.figure('stored', 'measured'), measured.figure('deepPage', 'measured')]
  return (
    `Two cores, shared by the server, PostgreSQL and the load generator, process ${rate('event')} events, ${rate('knownUser')} ` +
    `upserts of known users or ${rate('get')} reads by id per second. With three matching subscriptions they process ` +
    `${rate('subscribed')} events per second; they send ${rounded(measured.figure('deliveries', 'measured'))} deliveries per ` +
    `second. A table of a million events takes events at ${stored} of the rate of an empty one. The 10,000th page of a list ` +
    `takes ${deep} times as long as the first.`
  )
}

const CORES = [1, 4, 16, 64]
const LINES: readonly (readonly [work: keyof typeof WORK, name: string])[] = [
  ['event', '`POST /events`'],
  ['subscribed', '`POST /events`, three matching subscriptions, deliveries running'],
  ['knownUser', '`POST /users`, known user'],
  ['newUser', '`POST /users`, new user'],
  ['get', '`GET /users/:id`'],
  ['page', '`GET /users?limit=100`, not shared with other requests'],
  ['deliveries', 'deliveries'],
]

function moreCores(measured: Measured): string {
  const lines = LINES.map(([work, name]) => {
    const [server, postgres] = measured.micros(work)
    const rates = CORES.map((cores) => rounded((cores * 1e6) / (server + postgres)))
    return `| ${[name, `${shown(server)} + ${shown(postgres)}`, ...rates].join(' | ')} |`
  })
  const heading = `| requests per second | CPU µs, server + PostgreSQL | ${CORES.map((cores) => (cores === 1 ? '1 core' : `${cores} cores`)).join(' | ')} |`
  return [heading, '| --- | --: | --: | --: | --: | --: |', ...lines].join('\n')
}

/** Two digits, three from 10,000 on: a calculation has no more. */
function rounded(value: number): string {
  return shown(Number(value.toPrecision(value >= 10_000 ? 3 : 2)))
}

function shown(value: number): string {
  return Number.isNaN(value) ? '–' : value.toLocaleString('en')
}
