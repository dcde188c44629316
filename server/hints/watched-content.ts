import type { EnvironmentId } from '../database/database.ts'
import { logFailure } from '../database/log-failure.ts'
import type { Log } from '../log.ts'
import { eachDespiteFailures } from '../rounds/each-despite-failures.ts'
import { EVERYTHING, type Interest } from './interest.ts'

const POLL_MS = 400
/** Pages spread their questions over this time, so they are not told again before it is over. */
const AGAIN_MS = 10_000

/** Another one when the content, the segments or the switch of an environment have changed. */
export interface Mark {
  readonly revision: string
  readonly isOff: boolean
}

/** Reads what is published. */
export interface PublishedSource {
  /** Of those that can be asked. */
  marks(environmentIds: readonly EnvironmentId[]): Promise<ReadonlyMap<EnvironmentId, Mark>>
  interest(environmentId: EnvironmentId): Promise<Interest>
}

interface Known {
  mark: Mark | undefined
  interest: Interest
  /** Pages are told with the next poll: by then every node has the new interest. */
  isRevised: boolean
  toldAt: number
}

interface Changed {
  readonly environmentId: EnvironmentId
  readonly known: Known
  readonly mark: Mark
  /** It was switched off, and this is told. */
  readonly isOff: boolean
}

/**
 * The published content of the environments that have streams: what it asks for, and that it has changed. Every node polls for
 * itself, so a change counts whoever made it, and however.
 */
export class WatchedContent {
  readonly #log: Log
  readonly #isWatched: (environmentId: EnvironmentId) => boolean
  readonly #known = new Map<EnvironmentId, Known>()
  #timer: NodeJS.Timeout | undefined
  #isReading = false
  #isStopped = false
  source: PublishedSource | undefined
  /** Called when the pages of an environment have to decide again. */
  onRevised: (environmentId: EnvironmentId) => void = () => {}
  /** Called at once when all content of an environment is switched off: pages take down what they show. */
  onOff: (environmentId: EnvironmentId) => void = () => {}

  constructor(log: Log, isWatched: (environmentId: EnvironmentId) => boolean) {
    this.#log = log
    this.#isWatched = isWatched
  }

  interestOf(environmentId: EnvironmentId): Interest {
    const known = this.#known.get(environmentId)
    if (known) return known.interest
    this.watch(environmentId)
    return EVERYTHING
  }

  watch(environmentId: EnvironmentId): void {
    if (this.#isStopped || this.#known.has(environmentId)) return
    this.#known.set(environmentId, {
      mark: undefined,
      interest: EVERYTHING,
      isRevised: false,
      toldAt: Number.NEGATIVE_INFINITY,
    })
    this.#timer ??= this.#pollAfter(0)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #pollAfter(delayMs: number): NodeJS.Timeout {
    return setTimeout(() => void this.#poll(), delayMs).unref()
  }

  async #poll(): Promise<void> {
    for (const environmentId of this.#known.keys())
      if (!this.#isWatched(environmentId)) this.#known.delete(environmentId)
    this.#tell()
    await this.#orLog(() => this.#readMarks())
    this.#timer = this.#known.size > 0 && !this.#isStopped ? this.#pollAfter(POLL_MS) : undefined
  }

  #tell(): void {
    const now = performance.now()
    for (const [environmentId, known] of this.#known) {
      if (!known.isRevised || now - known.toldAt < AGAIN_MS) continue
      known.isRevised = false
      known.toldAt = now
      this.onRevised(environmentId)
    }
  }

  /** What is switched off waits for no conditions: polls go on while these are read. */
  async #readMarks(): Promise<void> {
    const { source } = this
    if (!source || this.#known.size === 0) return
    // One that is watched meanwhile is asked for with the next poll.
    const asked = [...this.#known]
    const marks = await source.marks(asked.map(([environmentId]) => environmentId))
    const changed = asked.flatMap(([environmentId, known]) => {
      const mark = marks.get(environmentId)
      return mark && !isSame(known.mark, mark)
        ? [{ environmentId, known, mark, isOff: this.#takeOff(environmentId, known, mark) }]
        : []
    })
    if (!this.#isReading) void this.#orLog(() => this.#readInterests(source, changed))
  }

  /** An environment whose conditions cannot be read holds up no other. What has changed meanwhile, the next poll reads. */
  async #readInterests(source: PublishedSource, changed: readonly Changed[]): Promise<void> {
    this.#isReading = true
    const read = async ({ environmentId, known, mark, isOff }: Changed) => {
      const isFirst = known.mark === undefined
      known.interest = await source.interest(environmentId)
      // Only now: what could not be read is read with the next poll.
      known.mark = mark
      // Who is told to take everything down decides again too.
      known.isRevised = !isOff && (known.isRevised || !isFirst)
    }
    await eachDespiteFailures(changed, read).finally(() => {
      this.#isReading = false
    })
  }

  async #orLog(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      logFailure(this.#log, error, {}, 'could not read what is published: open pages hear of it later')
    }
  }

  /** Tells at once that it was switched off. */
  #takeOff(environmentId: EnvironmentId, known: Known, { isOff }: Mark): boolean {
    const { mark: before } = known
    if (!isOff || !before || before.isOff) return false
    this.onOff(environmentId)
    known.mark = { ...before, isOff }
    return true
  }
}

function isSame(one: Mark | undefined, other: Mark): boolean {
  return one?.revision === other.revision && one.isOff === other.isOff
}
