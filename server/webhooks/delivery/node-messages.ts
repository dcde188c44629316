import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Database, EnvironmentId } from '../../database/database.ts'
import type { Log } from '../../log.ts'

const CHANNEL = 'usher_deliveries'
/** Messages are gathered for this long, so that there is none for each request. */
const GATHER_MS = 250
const RECONNECT_MS = 2_000

export interface MessageHandlers {
  /** Another process wrote deliveries of this environment. */
  onDue(environmentId: EnvironmentId): void
  /** Another process changed or deleted this subscription. */
  onChanged(environmentId: EnvironmentId, subscriptionId: string): void
}

/** Messages between the server processes, through LISTEN and NOTIFY. Any of them may get lost: each process also polls. */
export class NodeMessages {
  readonly #database: Database
  readonly #log: Log
  readonly #handlers: MessageHandlers
  readonly #node = randomUUID()
  readonly #due = new Set<EnvironmentId>()
  #timer: NodeJS.Timeout | undefined
  #reconnect: NodeJS.Timeout | undefined
  #client: pg.Client | undefined
  #closed = false

  constructor(database: Database, log: Log, handlers: MessageHandlers) {
    this.#database = database
    this.#log = log
    this.#handlers = handlers
  }

  async open(): Promise<void> {
    const client = this.#database.ownClient()
    const lost = () => {
      if (this.#client === client) this.#reopenLater()
      client.end().catch(() => {})
    }
    this.#client = client
    client.on('error', lost).on('end', lost)
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
    } catch (error) {
      if (this.#closed) return
      this.#log.warn({ err: error }, 'cannot listen for webhook deliveries of other nodes; polling finds them')
      lost()
    }
  }

  /** Sent after the answer to the request, for several environments together. */
  due(environmentId: EnvironmentId): void {
    this.#due.add(environmentId)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#send(['due', ...this.#due])
      this.#due.clear()
    }, GATHER_MS)
  }

  changed(environmentId: EnvironmentId, subscriptionId: string): void {
    this.#send(['changed', environmentId, subscriptionId])
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#reconnect)
    await this.#client?.end().catch(() => {})
  }

  #send(words: readonly (string | number)[]): void {
    if (this.#closed) return
    // A payload holds 8,000 bytes; the environments beyond that are found by the poll.
    const payload = [this.#node, ...words.slice(0, 500)].join(' ')
    notify(this.#database, payload).catch(() => {})
  }

  #receive(payload: string): void {
    const [node, kind, ...rest] = payload.split(' ')
    if (node === this.#node) return
    if (kind === 'due') for (const id of rest) this.#handlers.onDue(Number(id) as EnvironmentId)
    if (kind === 'changed') this.#handlers.onChanged(Number(rest[0]) as EnvironmentId, rest[1] ?? '')
  }

  #reopenLater(): void {
    this.#client = undefined
    if (this.#closed) return
    this.#reconnect = setTimeout(() => void this.open(), RECONNECT_MS)
  }
}

/** For processes that write deliveries and do not send them, such as the command line. */
export async function announceDue(database: Database, environmentId: EnvironmentId): Promise<void> {
  await notify(database, `- due ${environmentId}`)
}

async function notify(database: Database, payload: string): Promise<void> {
  await database.query('select pg_notify($1::text, $2::text)', [CHANNEL, payload])
}
