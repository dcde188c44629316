import type { EnvironmentId } from '../database/database.ts'

/** A batch before this one was not committed. This one is rolled back, and run again after it. */
export class PredecessorFailed extends Error {}

/**
 * The order of the batches of each environment. A batch begins while those before it commit, and commits after them: when
 * one of them fails and is tried again, nothing that was submitted after its jobs is stored before them.
 */
export class Precedence {
  /** The batches of each environment that are not finished, first to last. */
  readonly #open = new Map<EnvironmentId, BatchPlace[]>()

  /** Called when a batch begins. */
  enter(environmentIds: readonly EnvironmentId[]): BatchPlace {
    const place = new BatchPlace(environmentIds, (environmentId) => this.#leave(place, environmentId))
    for (const environmentId of environmentIds) {
      const open = this.#open.get(environmentId)
      if (!open) this.#open.set(environmentId, [place])
      else {
        for (const earlier of open) place.follow(earlier, environmentId)
        open.push(place)
      }
    }
    return place
  }

  #leave(place: BatchPlace, environmentId: EnvironmentId): void {
    const open = this.#open.get(environmentId)
    if (open?.length === 1 && open[0] === place) this.#open.delete(environmentId)
    else if (open?.includes(place)) open.splice(open.indexOf(place), 1)
  }
}

/** A batch among those of its environments. */
export class BatchPlace {
  readonly #unfinished: Set<EnvironmentId>
  readonly #leave: (environmentId: EnvironmentId) => void
  #before: { place: BatchPlace; environmentId: EnvironmentId }[] = []
  #behind: BatchPlace[] = []
  #isCommitted = false
  #creates = false
  /** Whether a batch before it has failed since it began. */
  #isOutdated = false
  /** Called at every change of this batch that one behind it may wait for. */
  #watchers: (() => void)[] = []

  constructor(environmentIds: readonly EnvironmentId[], leave: (environmentId: EnvironmentId) => void) {
    this.#unfinished = new Set(environmentIds)
    this.#leave = leave
  }

  follow(place: BatchPlace, environmentId: EnvironmentId): void {
    this.#before.push({ place, environmentId })
    place.#behind.push(this)
  }

  /** Whether all batches before it have committed or are finished. */
  get isNext(): boolean {
    return this.#before.every(({ place, environmentId }) => place.#hasPassed(environmentId))
  }

  /** Resolves when all batches before it have committed. Throws as soon as one has failed. */
  async untilNext(): Promise<void> {
    for (const { place, environmentId } of this.#before)
      while (!this.#isOutdated && !place.#hasPassed(environmentId)) await place.#change()
    if (this.#isOutdated) throw new PredecessorFailed()
  }

  /**
   * Resolves when it sees the objects that the batches before it create. Others are locked by those, and waited for. Throws
   * as soon as one has failed.
   */
  async untilCreated(): Promise<void> {
    for (const { place, environmentId } of this.#before)
      while (place.#creates && !this.#isOutdated && !place.#hasPassed(environmentId)) await place.#change()
    if (this.#isOutdated) throw new PredecessorFailed()
  }

  /** Called before the next batch begins. */
  creates(): void {
    this.#creates = true
  }

  /** Resolves when all batches before it are finished, with all tries of those that failed. */
  async untilAlone(): Promise<void> {
    for (const { place, environmentId } of this.#before)
      while (place.#unfinished.has(environmentId)) await place.#change()
    this.#isOutdated = false
  }

  /** Those behind it may commit. */
  committed(): void {
    this.#isCommitted = true
    this.#notify()
  }

  /** Those behind it that have begun are rolled back, and wait until it is finished. */
  failed(): void {
    for (const place of this.#behind) place.#isOutdated = true
    this.#notify()
  }

  /** Nothing more of it is tried in these environments. */
  finish(environmentIds: Iterable<EnvironmentId> = this.#unfinished): void {
    for (const environmentId of [...environmentIds]) {
      this.#unfinished.delete(environmentId)
      this.#leave(environmentId)
    }
    if (this.#unfinished.size === 0) this.#forgetOthers()
    this.#notify()
  }

  /** A batch leads to the one before it, and that one further back: while one is always under way, all would stay in memory. */
  #forgetOthers(): void {
    this.#before = []
    this.#behind = []
  }

  #hasPassed(environmentId: EnvironmentId): boolean {
    return this.#isCommitted || !this.#unfinished.has(environmentId)
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#watchers.push(resolve))
  }

  #notify(): void {
    const watchers = this.#watchers
    this.#watchers = []
    for (const watcher of watchers) watcher()
  }
}
