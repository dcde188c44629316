import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Random } from '../test/fuzz/random.ts'
import { usherJson } from '../test/support/command.ts'
import { call } from '../test/support/process.ts'
import { Answers } from './answers.ts'
import { audit } from './audit.ts'
import { DrillClient } from './client.ts'
import { Publisher } from './flows.ts'
import { DrillNode } from './node.ts'
import type { Backend } from './postgres.ts'
import { type NotificationReceiver, openReceiver } from './receiver.ts'
import { LABELLED, type Only } from './requests.ts'
import { killAtRandom, type Victim } from './victims.ts'
import { DrillVisitor } from './visitor.ts'

export interface DrillOptions {
  backend: Backend
  /** What is killed: `node`, or a name of the backend's victims. */
  kinds: readonly string[]
  count: number
  seconds: number
  withKeys: boolean
  /** Whether a subscription to all topics exists. */
  withWebhooks?: boolean
  /** Whether pages show guided flows, which are published and unpublished meanwhile. */
  withFlows?: boolean
  only?: Only | undefined
  /** Between two requests of a client. */
  pauseMs?: number
  seed: number
  report(text: string): void
}

export interface DrillResult {
  kills: number
  problems: string[]
  answers: Answers
  notifications: number
}

/** Does one thing after the other while the drill runs. */
interface Actor {
  act(): Promise<void>
}

const NODES = 2
const CLIENTS = 16
const VISITORS = 8
/** The number of writes that are acknowledged between two kills. */
const PROGRESS = 20
/** The number of decisions that are checked between two kills. */
const DECISIONS = 2
const PROGRESS_MS = 240_000
/** The leases of a killed node end after 20 s. */
const DELIVERY_MS = 90_000

/** Clients against two nodes, kills at random, and an audit at the end. */
export async function runDrill(options: DrillOptions): Promise<DrillResult> {
  const { backend, seed, withKeys, only, withWebhooks = true, withFlows = true, pauseMs = 0 } = options
  const receiver = await openReceiver()
  const nodes: DrillNode[] = []
  try {
    for (let number = 1; number <= NODES; number += 1) nodes.push(await DrillNode.start(`node ${number}`, backend.url))
    await prepare(nodes[0] as DrillNode, withWebhooks ? receiver : undefined)
    const answers = new Answers()
    const client = (index: number) =>
      new DrillClient({
        name: `c${index}`,
        targets: nodes,
        answers,
        random: new Random(seed + index + 1),
        withKeys,
        only,
      })
    const clients = Array.from({ length: CLIENTS }, (_, index) => client(index))
    const guided = withFlows ? await startFlows(options, nodes, answers) : []
    const load = startLoad([...clients, ...guided], pauseMs)
    const kills = await Promise.race([kill(options, nodes, answers), load.failure]).finally(() => load.stop())
    await allDelivered(backend.url)
    const problems = await audit(backend.url, answers, withWebhooks ? receiver : undefined)
    return { kills, problems, answers, notifications: receiver.received }
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await receiver.close()
  }
}

/** Pages without a screen, and somebody who publishes. */
async function startFlows(
  { backend, seed }: DrillOptions,
  targets: readonly DrillNode[],
  answers: Answers,
): Promise<Actor[]> {
  const words = ['tokens', 'create', '--environment', 'Production']
  const { token } = await usherJson<{ token: string }>(words, { DATABASE_URL: backend.url, USHER_LOG_LEVEL: 'silent' })
  const publisher = new Publisher(targets)
  await publisher.open()
  const { flicker } = publisher
  const visitors = Array.from({ length: VISITORS }, (_, index) => {
    const random = new Random(seed + CLIENTS + index + 1)
    return new DrillVisitor({ name: `v${index}`, targets, token, flicker, answers, random })
  })
  return [publisher, ...visitors]
}

async function prepare(node: DrillNode, receiver: NotificationReceiver | undefined): Promise<void> {
  await call(node, 'POST', '/users', LABELLED)
  if (receiver) await call(node, 'POST', '/webhook_subscriptions', { url: receiver.url, topics: ['*'] })
}

async function kill(
  { backend, kinds, count, seconds, withFlows = true, seed, report }: DrillOptions,
  nodes: DrillNode[],
  answers: Answers,
) {
  const victims = kinds.map((kind) => victimsOf(kind, backend, nodes))
  const progress = async () => {
    const goal = answers.acknowledged + PROGRESS
    const { flows } = answers
    const decisions = flows.decisions + (withFlows ? DECISIONS : 0)
    const isGoingOn = () => answers.acknowledged >= goal && flows.decisions >= decisions
    await waitUntil('clients are answered, and decisions are right', isGoingOn, PROGRESS_MS)
  }
  return await killAtRandom({ victims, random: new Random(seed), count, leastMs: seconds * 1_000, progress, report })
}

function victimsOf(kind: string, { victims }: Backend, nodes: DrillNode[]): readonly Victim[] {
  const found = kind === 'node' ? nodes : victims[kind]
  if (found) return found
  throw new Error(`--kill ${kind}: there is none here; there are ${['node', ...Object.keys(victims)].join(', ')}`)
}

function startLoad(clients: readonly Actor[], pauseMs: number) {
  let running = true
  const loops = clients.map(async (client) => {
    while (running) {
      await client.act()
      if (pauseMs > 0) await sleep(pauseMs)
    }
  })
  const all = Promise.all(loops)
  const { promise: failure, reject } = Promise.withResolvers<never>()
  failure.catch(() => {})
  all.catch(reject)
  return {
    failure,
    stop: async () => {
      running = false
      await all
    },
  }
}

async function allDelivered(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const isDone = async () => (await client.query('select from usher.webhook_deliveries limit 1')).rowCount === 0
  await waitUntil('every notification is delivered', isDone, DELIVERY_MS).finally(() => client.end())
}

async function waitUntil(what: string, holds: () => boolean | Promise<boolean>, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`)
    await sleep(20)
  }
}
