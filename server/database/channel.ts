import { randomUUID } from 'node:crypto'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'
import type { Session } from './session.ts'

const RECONNECT_MS = 2_000
/** A connection that does not answer within this time is replaced. */
const CHECK_MS = 10_000
/** A stop does not wait longer for the end of the connection. */
const CLOSE_MS = 1_000

export interface ChannelOptions {
  name: string
  /** Logged when this process cannot listen: what does not work then. */
  warning: string
  onMessage: (payload: string) => void
  /** For tests: instead of ten seconds. */
  checkMs?: number
}

/**
 * Messages between server processes, by LISTEN and NOTIFY of PostgreSQL. The connection is opened again after it was lost. It
 * is asked for an answer regularly: a network that swallows packets does not end it, and messages would stay away for hours.
 * Any message can get lost, and each process also receives its own messages: `node` tells them apart.
 */
export class Channel {
  /** Identifies this process in messages. */
  readonly node = randomUUID()
  readonly #database: Database
  readonly #log: Log
  readonly #options: ChannelOptions
  #client: Session | undefined
  #reconnect: NodeJS.Timeout | undefined
  #closed = false

  constructor(database: Database, log: Log, options: ChannelOptions) {
    this.#database = database
    this.#log = log
    this.#options = options
  }

  async open(): Promise<void> {
    const { name, warning, checkMs = CHECK_MS } = this.#options
    const client = this.#database.ownClient()
    this.#client = client
    let hasAnswered = false
    const check = setInterval(() => {
      if (!hasAnswered) return client.destroy('PostgreSQL does not answer')
      hasAnswered = false
      client.query('select 1').then(
        () => {
          hasAnswered = true
        },
        () => {},
      )
    }, checkMs).unref()
    const lost = () => {
      clearInterval(check)
      if (this.#client === client) this.#reopenLater()
      client.end().catch(() => {})
    }
    client.on('error', lost).on('end', lost)
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${name}`)
      hasAnswered = true
    } catch (error) {
      if (this.#closed) return clearInterval(check)
      this.#log.warn({ err: error }, warning)
      lost()
    }
  }

  send(payload: string): void {
    if (this.#closed) return
    notify(this.#database, this.#options.name, payload).catch(() => {})
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#reconnect)
    const client = this.#client
    const tooLong = setTimeout(() => client?.destroy('it is closed'), CLOSE_MS)
    await client?.end().catch(() => {})
    clearTimeout(tooLong)
  }

  /** Everybody who may use the database can send on the channel. An error here would end the process. */
  #receive(payload: string): void {
    const { name, onMessage } = this.#options
    try {
      onMessage(payload)
    } catch (error) {
      this.#log.warn({ err: error, channel: name }, 'a message of another node could not be read; it is ignored')
    }
  }

  #reopenLater(): void {
    this.#client = undefined
    if (this.#closed) return
    this.#reconnect = setTimeout(() => void this.open(), RECONNECT_MS).unref()
  }
}

/** At most 8,000 bytes. */
export async function notify(database: Database, channel: string, payload: string): Promise<void> {
  await database.query('select pg_notify($1::text, $2::text)', [channel, payload])
}
