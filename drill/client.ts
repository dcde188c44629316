import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../test/fuzz/random.ts'
import type { Answers, Outcome } from './answers.ts'
import { type Answer, outcomesOf, type Target, tryOnce } from './call.ts'
import { COUNTERS, type DrillRequest, type Only, RequestMaker } from './requests.ts'

/** Some tries time out long before a node does: the write may still be carried out while the client retries. */
const TIMEOUTS_MS = [100, 1_000, 5_000, 20_000] as const
/** An export is read to its end: it is tried once, and has to show all. */
const EXPORT_MS = 20_000
const PAUSE_MS = 50
const MOST_TRIES_MS = 240_000
const ALLOWED = new Set([200, 400, 503])

export interface ClientOptions {
  name: string
  targets: readonly Target[]
  answers: Answers
  random: Random
  /** Whether requests have an Idempotency-Key and are tried until they are answered; otherwise each is tried once. */
  withKeys: boolean
  only: Only | undefined
}

/** Sends one request after the other, each try to a random node. */
export class DrillClient {
  readonly #options: ClientOptions
  readonly #requests: RequestMaker
  #last = 0

  constructor(options: ClientOptions) {
    this.#options = options
    this.#requests = new RequestMaker(options.name, options.random, options.only)
  }

  async act(): Promise<void> {
    const { answers, withKeys, random } = this.#options
    if (random.chance(0.05)) return await this.#checkExport(random.pick(COUNTERS))
    const request = this.#requests.next()
    const key = withKeys ? this.#nextKey() : undefined
    const { answer, outcomes } = await this.#ask(request, key)
    for (const [index, piece] of request.pieces.entries()) {
      const outcome = outcomes[index] as Outcome
      answers.settle(piece, outcome)
      if (outcome.kind === 'stored') this.#requests.stored(piece)
    }
    if (key !== undefined && answer?.status === 200 && random.chance(0.1)) await this.#repeat(request, key, answer)
  }

  /** Repeats an answered request. The repeat must get the same answer and change nothing. */
  async #repeat(request: DrillRequest, key: string, first: Answer): Promise<void> {
    const { answers } = this.#options
    const { answer } = await this.#ask(request, key)
    answers.replays += 1
    // A refusal in a batch is not stored under its key, and has a new request id each time.
    const isComparable = request.pieces.every(({ kind }) => kind !== 'refused')
    if (isComparable && answer?.text !== first.text)
      answers.wrong.push(`${key} was answered with ${first.text}, and then with ${answer?.text}`)
    if (!answer?.isReplay) answers.wrong.push(`${key} was answered twice, without a replay`)
  }

  /** A completed export has every event that was acknowledged before it began. */
  async #checkExport(counter: string): Promise<void> {
    const { answers } = this.#options
    const before = [...(answers.eventsOf.get(counter) ?? [])]
    if (before.length === 0) return
    const request = { method: 'GET', path: `/users/${counter}/export`, body: undefined, pieces: [] } as const
    const answer = await this.#try(request, undefined, EXPORT_MS)
    if (answer?.status !== 200) return
    answers.exports += 1
    const shown = new Set((answer.body as { events: { id: string }[] }).events.map(({ id }) => id))
    const missing = before.filter((id) => !shown.has(id))
    if (missing.length > 0) answers.wrong.push(`an export of ${counter} lacks ${missing.length} events: ${missing[0]}`)
  }

  async #ask(request: DrillRequest, key: string | undefined) {
    const deadline = performance.now() + MOST_TRIES_MS
    for (;;) {
      const answer = await this.#try(request, key)
      const outcomes = outcomesOf(request, answer)
      if (key === undefined || !outcomes.some(isOpen)) return { answer, outcomes }
      if (performance.now() > deadline) throw new Error(`${key} was not answered within ${MOST_TRIES_MS} ms`)
      this.#options.answers.retries += 1
      await sleep(PAUSE_MS)
    }
  }

  async #try(
    request: DrillRequest,
    key: string | undefined,
    timeoutMs = this.#options.random.pick(TIMEOUTS_MS),
  ): Promise<Answer | undefined> {
    const { targets, random, answers } = this.#options
    const answer = await tryOnce(random.pick(targets), request, key, timeoutMs)
    answers.count(answer?.status ?? 0)
    if (answer && !ALLOWED.has(answer.status)) answers.wrong.push(`${request.path}: ${answer.status} ${answer.text}`)
    if (answer?.status !== 200) await sleep(PAUSE_MS)
    return answer
  }

  #nextKey(): string {
    this.#last += 1
    return `${this.#options.name}/${this.#last}`
  }
}

/** Whether a client with a key retries. */
function isOpen(outcome: Outcome): boolean {
  return outcome.kind === 'unknown' || (outcome.kind === 'refused' && outcome.status === 503)
}
