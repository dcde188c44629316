import { Channel, notify } from '../../database/channel.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import type { Log } from '../../log.ts'

const CHANNEL = 'usher_deliveries'
/** Messages are gathered for this long, so that not every request sends one. */
const GATHER_MS = 250

export interface MessageHandlers {
  /** Another process wrote deliveries of this environment. */
  onDue(environmentId: EnvironmentId): void
  /** Another process changed or deleted this subscription. */
  onChanged(environmentId: EnvironmentId, subscriptionId: string): void
}

/** Messages about deliveries and subscriptions between the server processes. Any of them may get lost: each process also polls. */
export class NodeMessages {
  readonly #handlers: MessageHandlers
  readonly #channel: Channel
  readonly #due = new Set<EnvironmentId>()
  #timer: NodeJS.Timeout | undefined

  constructor(database: Database, log: Log, handlers: MessageHandlers) {
    this.#handlers = handlers
    this.#channel = new Channel(database, log, {
      name: CHANNEL,
      warning: 'cannot listen for webhook deliveries of other nodes; polling finds them',
      onMessage: (payload) => this.#receive(payload),
    })
  }

  async open(): Promise<void> {
    await this.#channel.open()
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
    clearTimeout(this.#timer)
    await this.#channel.close()
  }

  #send(words: readonly (string | number)[]): void {
    // A payload holds 8,000 bytes; the environments beyond that are found by the poll.
    this.#channel.send([this.#channel.node, ...words.slice(0, 500)].join(' '))
  }

  #receive(payload: string): void {
    const [node, kind, ...rest] = payload.split(' ')
    if (node === this.#channel.node) return
    if (kind === 'due') for (const environmentId of rest.flatMap(environmentOf)) this.#handlers.onDue(environmentId)
    const [environment = '', subscriptionId = ''] = rest
    if (kind === 'changed')
      for (const environmentId of environmentOf(environment)) this.#handlers.onChanged(environmentId, subscriptionId)
  }
}

/**
 * Empty for any other text: everybody who may use the database can send on the channel, and the check of an invalid
 * environment would fail forever.
 */
function environmentOf(text: string): EnvironmentId[] {
  return /^\d{1,9}$/.test(text) ? [Number(text) as EnvironmentId] : []
}

/** For processes that write deliveries and do not send them, such as the command line. */
export async function announceDue(database: Database, environmentId: EnvironmentId): Promise<void> {
  await notify(database, CHANNEL, `- due ${environmentId}`)
}
