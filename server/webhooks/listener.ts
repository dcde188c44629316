import { setTimeout as sleep } from 'node:timers/promises'
import { latestVersion } from '../../contract/versions.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { newId } from '../ids.ts'
import { StartupError } from '../startup-error.ts'
import { messageBody, messageHeaders } from './delivery/message.ts'
import type { Attempt, Sender } from './egress/send.ts'
import {
  deleteListened,
  deleteListener,
  findListened,
  insertListener,
  type ListenedRow,
  renewListener,
} from './listener-queries.ts'

const POLL_MS = 300
/** A server deletes the subscription of a killed command after 30 s. To forward a notification takes 15 s at most. */
const RENEW_MS = 10_000
const AT_ONCE = 50

export interface ListenerOptions {
  database: Database
  environmentId: EnvironmentId
  topics: readonly string[]
  sender: Pick<Sender, 'send'>
  /** Where to forward to; without it nothing is sent. */
  forwardTo: string | undefined
  /** What they are signed with. */
  secret: string
  onNotification(notification: ListenedRow, outcome: Attempt | undefined): Promise<void>
}

/** Forwards the notifications of an environment while it runs, signed and without retries. */
export class Listener {
  readonly #id = newId()
  readonly #options: ListenerOptions
  #renewAt = Number.POSITIVE_INFINITY

  constructor(options: ListenerOptions) {
    this.#options = options
  }

  async run(signal: AbortSignal): Promise<void> {
    const { database, environmentId, topics } = this.#options
    const listener = { id: this.#id, topics, apiVersion: latestVersion }
    await insertListener(database, environmentId, listener)
    this.#renewAt = performance.now() + RENEW_MS
    try {
      await this.#follow(signal)
    } finally {
      await deleteListener(database, environmentId, this.#id)
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { database, environmentId } = this.#options
    while (!signal.aborted) {
      await this.#renew()
      const found = await findListened(database, environmentId, this.#id, AT_ONCE)
      for (const notification of found) {
        if (signal.aborted) return
        await this.#renew()
        await this.#forward(notification)
      }
      if (found.length < AT_ONCE) await sleep(POLL_MS, undefined, { signal }).catch(() => {})
    }
  }

  /** Before each notification: a receiver may take long for each. */
  async #renew(): Promise<void> {
    if (performance.now() < this.#renewAt) return
    this.#renewAt = performance.now() + RENEW_MS
    const { database, environmentId } = this.#options
    if (!(await renewListener(database, environmentId, this.#id)))
      throw new StartupError(
        'The environment was deleted, or a server has ended this command after 30 seconds without a sign of it: start it again.',
      )
  }

  async #forward(notification: ListenedRow): Promise<void> {
    const { database, environmentId, sender, forwardTo, secret, onNotification } = this.#options
    const body = messageBody(notification, latestVersion)
    const message = { secrets: [secret], apiVersion: latestVersion, body }
    const headers = messageHeaders(message, Date.now(), undefined)
    const outcome = forwardTo === undefined ? undefined : await sender.send(forwardTo, headers, body)
    await onNotification(notification, outcome)
    await deleteListened(database, environmentId, this.#id, notification.id)
  }
}
