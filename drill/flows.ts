import { setTimeout as sleep } from 'node:timers/promises'
import { type Target, tryOnce } from './call.ts'

/** What the event of the back end opens: always published. */
export const STEADY = 'steady'
/** Published and unpublished in turns. */
export const FLICKERING = 'flickering'
export const READY = 'drill_ready'

const TIMEOUT_MS = 5_000
const PAUSE_MS = 100

const flow = (key: string, name = key) => ({
  key,
  type: 'flow',
  name,
  who: { event: READY },
  steps: [
    {
      key: 'first',
      type: 'dialog',
      blocks: [{ heading: 'First' }],
      buttons: [{ label: 'Next', do: [{ next: true }] }],
    },
    {
      key: 'second',
      type: 'dialog',
      blocks: [{ question: 'ease', kind: 'nps', label: 'How easy?' }],
      buttons: [{ label: 'Done', do: [{ end: 'completed' }] }],
    },
  ],
})

/** Whether the flickering flow is published now; undefined while that changes. */
export interface Flicker {
  isPublished: boolean | undefined
  changes: number
}

/** Publishes and unpublishes until it is stopped. Each change is tried until it is acknowledged. */
export class Publisher {
  readonly flicker: Flicker = { isPublished: undefined, changes: 0 }
  readonly #targets: readonly Target[]
  readonly #ids = new Map<string, string>()
  #next = 0

  constructor(targets: readonly Target[]) {
    this.#targets = targets
  }

  async open(): Promise<void> {
    for (const key of [STEADY, FLICKERING]) this.#ids.set(key, await this.#post('/content', flow(key)))
    await this.#post(`/content/${this.#ids.get(STEADY)}/publish`, {})
  }

  /** Also publishes a new version of the steady flow; who is inside of the earlier one finishes it. */
  async act(): Promise<void> {
    await this.#flip()
    if (this.flicker.changes % 5 === 0) await this.#publish(STEADY, flow(STEADY, `${STEADY} ${this.flicker.changes}`))
    await sleep(PAUSE_MS)
  }

  async #publish(key: string, document: object): Promise<void> {
    await this.#post('/content', document)
    await this.#post(`/content/${this.#ids.get(key)}/publish`, {})
  }

  async #flip(): Promise<void> {
    const isPublished = this.flicker.isPublished !== true
    this.flicker.isPublished = undefined
    await this.#post(`/content/${this.#ids.get(FLICKERING)}/${isPublished ? 'publish' : 'unpublish'}`, {})
    this.flicker.changes += 1
    this.flicker.isPublished = isPublished
  }

  async #post(path: string, body: object): Promise<string> {
    for (;;) {
      const target = this.#targets[this.#next++ % this.#targets.length] as Target
      const answer = await tryOnce(target, { method: 'POST', path, body, pieces: [] }, undefined, TIMEOUT_MS)
      if (answer?.status === 200) return (answer.body as { id: string }).id
      if (answer && answer.status !== 503) throw new Error(`${path}: ${answer.status} ${answer.text}`)
      await sleep(PAUSE_MS)
    }
  }
}
