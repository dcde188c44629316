import { parseArgs } from 'node:util'
import { type DrillResult, runDrill } from './drill.ts'
import type { FlowAnswers } from './flow-answers.ts'
import { givenDatabase, ownPostgres } from './postgres.ts'

const HELP = `npm run drill -- [options]
Clients that retry every time-out and every broken connection, two nodes, and kills at random; then an audit.
  --kill KIND      what is killed: node, postgres, worker, coordinator; may be given several times (all that there are)
  --database URL   an empty database, instead of a PostgreSQL of the drill's own: nodes can be killed, and when it is on
                   the coordinator of a Citus cluster on this machine, the workers and the coordinator too
  --only KIND      what is written: adds or events (both, and users, groups and deletions)
  --no-webhooks    without a subscription
  --no-flows       without guided flows: pages that claim and report, and a publisher
  --count N        at least so many kills (20)
  --seconds N      for at least so long (0)
  --pause MS       between two requests of a client (0); longer where the machine has other work
  --no-keys        without Idempotency-Key: each request is tried once
  --seed N         repeats the choices of a run
`

/** `npm run drill`. */
async function main(): Promise<boolean> {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      kill: { type: 'string', multiple: true },
      database: { type: 'string' },
      count: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '0' },
      pause: { type: 'string', default: '0' },
      keys: { type: 'boolean', default: true },
      webhooks: { type: 'boolean', default: true },
      flows: { type: 'boolean', default: true },
      only: { type: 'string' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      help: { type: 'boolean', default: false },
    },
  })
  const write = (text: string) => void process.stdout.write(`${text}\n`)
  if (values.help) {
    write(HELP)
    return true
  }
  const seed = whole('--seed', values.seed)
  const limits = { count: whole('--count', values.count), seconds: whole('--seconds', values.seconds) }
  const backend = values.database === undefined ? await ownPostgres() : await givenDatabase(values.database)
  const kinds = values.kill ?? ['node', ...Object.keys(backend.victims)]
  write(`seed ${seed}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void backend.stop().finally(() => process.exit(130)))
  }
  try {
    const result = await runDrill({
      backend,
      kinds,
      ...limits,
      pauseMs: whole('--pause', values.pause),
      withKeys: values.keys,
      withWebhooks: values.webhooks,
      withFlows: values.flows,
      only: onlyOf(values.only),
      seed,
      report: write,
    })
    write(describe(result))
    return result.problems.length === 0
  } finally {
    await backend.stop()
  }
}

function onlyOf(text: string | undefined): 'adds' | 'events' | undefined {
  if (text === undefined || text === 'adds' || text === 'events') return text
  throw new Error(`--only ${text} is neither adds nor events`)
}

function whole(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} ${text} is not a whole number`)
  return Number(text)
}

function describe({ kills, problems, answers, notifications }: DrillResult): string {
  const statuses = [...answers.statuses].toSorted(([a], [b]) => a - b)
  return [
    `${kills} kills, ${answers.acknowledged} writes acknowledged, ${answers.retries} retries, ${answers.replays} replays, ${answers.exports} exports`,
    `tries by status: ${statuses.map(([status, tries]) => `${status || 'no answer'} ${tries}`).join(', ')}`,
    `${answers.events.size} events, ${[...answers.added.values()].reduce((sum, n) => sum + n, 0)} additions, ${notifications} notifications received`,
    describeFlows(answers.flows),
    problems.length === 0 ? 'nothing is lost, nothing is doubled' : `PROBLEMS:\n${problems.join('\n')}`,
  ].join('\n')
}

function describeFlows({ sessions, resumed, decisions, hints }: FlowAnswers): string {
  const completed = [...sessions.values()].filter(({ sequence }) => sequence === 5).length
  return `${sessions.size} guided flows shown, ${completed} to their end, ${resumed} gone on with in another browser, ${decisions} decisions checked, ${hints} hints`
}

main().then(
  (isGood) => {
    process.exitCode = isGood ? 0 : 1
  },
  (error: Error) => {
    process.stderr.write(`${error.stack ?? error}\n`)
    process.exitCode = 1
  },
)
