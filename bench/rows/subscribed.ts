import type { Bench, Site } from '../bench.ts'
import type { Child } from '../processes/child.ts'
import type { ReceiverAnswer, ReceiverQuestion } from '../processes/receiver.ts'

const SUBSCRIPTIONS = 3
const MOST_DRAIN_MS = 60_000

/** A server with three subscriptions to every event, and the receiver they all point to. */
export class Subscribed {
  readonly site: Site
  readonly url: string
  readonly #receiver: Child<ReceiverQuestion, ReceiverAnswer>
  readonly #ids: string[]
  #expected = 0

  private constructor(site: Site, receiver: Child<ReceiverQuestion, ReceiverAnswer>, url: string, ids: string[]) {
    this.site = site
    this.#receiver = receiver
    this.url = url
    this.#ids = ids
  }

  /** Undefined when the server has no subscriptions. */
  static async open(bench: Bench): Promise<Subscribed | undefined> {
    const site = await bench.site()
    const receiver = bench.child<ReceiverQuestion, ReceiverAnswer>('receiver')
    const url = `http://127.0.0.1:${(await receiver.ask({ kind: 'look' })).port}/hook`
    const ids: string[] = []
    for (let count = 0; count < SUBSCRIPTIONS; count += 1) {
      const response = await site.server.call('POST', '/webhook_subscriptions', { url, topics: ['event.tracked'] })
      if (response.status === 404 || response.status === 405) return undefined
      if (response.status !== 200) throw new Error(`subscribing answered ${response.status}: ${await response.text()}`)
      ids.push(((await response.json()) as { id: string }).id)
    }
    return new Subscribed(site, receiver, url, ids)
  }

  async disable(disabled: boolean): Promise<void> {
    for (const id of this.#ids) await this.site.server.call('PATCH', `/webhook_subscriptions/${id}`, { disabled })
  }

  async look(): Promise<ReceiverAnswer> {
    return await this.#receiver.ask({ kind: 'look' })
  }

  /** Expects this many more notifications, caused by others. */
  expect(others: number): void {
    this.#expected += others
  }

  /** Waits until all notifications of so many events have arrived. */
  async drained(events: number): Promise<ReceiverAnswer> {
    this.#expected += SUBSCRIPTIONS * events
    const seen = await this.#receiver.ask({ kind: 'wait', until: this.#expected, mostMs: MOST_DRAIN_MS })
    if (seen.received < this.#expected) {
      throw new Error(`${this.#expected - seen.received} notifications did not arrive within ${MOST_DRAIN_MS} ms`)
    }
    this.#expected = seen.received
    return seen
  }
}
