import type { EnvironmentId } from '../database/database.ts'
import { hintHash, hintKey } from '../hints/keys.ts'
import type { Changes } from '../hints/pending.ts'

/** A page opens its stream within three seconds after its decision; a decision and its answer take less than the rest. */
export const REMEMBERED_MS = 10_000
/** With more of them everyone has changed: 1.2 MB. */
const MOST_TOLD = 150_000

/** What was told at once. */
interface Told {
  at: number
  /** Whether another node told it: by keys. */
  isHashed: boolean
  /** Of users and groups, or of their keys. Numbers are kept without cost: the collector would copy texts twice. */
  hashes: readonly number[]
}

/**
 * What was told in one environment in the last ten seconds: a stream that opens now did not hear of it, and the decision before
 * it may not know it. Nothing is read: this node hears of all changes while it watches the environment.
 *
 * What was told is kept as it came, every 20 ms, as hashes, and searched when a stream opens. There are far more changes than new streams.
 */
export class RecentChanges {
  readonly #environmentId: EnvironmentId
  readonly #since: number
  #everyoneAt = Number.NEGATIVE_INFINITY
  /** The newest last. */
  #told: Told[] = []
  #count = 0

  /** `now`: from when on this node hears of changes. */
  constructor(environmentId: EnvironmentId, now: number) {
    this.#environmentId = environmentId
    this.#since = now
  }

  note({ subjects, sessions }: Changes, isHashed: boolean, now: number): void {
    if (sessions.size > 0) this.#note([...sessions.values()], isHashed, now)
    if (subjects === 'everyone') this.#noteEveryone(now)
    else this.#note(subjects, isHashed, now)
  }

  /** Drops what is older. Called often: an environment that becomes quiet notes nothing more. */
  forget(now: number): void {
    const kept = this.#told.findIndex(({ at }) => now - at < REMEMBERED_MS)
    const dropped = this.#told.splice(0, kept === -1 ? this.#told.length : kept)
    for (const { hashes } of dropped) this.#count -= hashes.length
  }

  /** Whether a stream that opens now may have missed a change of these. True while this node has heard too little. */
  mayHaveMissed(subjects: readonly string[], now: number): boolean {
    if (now - Math.max(this.#since, this.#everyoneAt) < REMEMBERED_MS) return true
    const hashes = subjects.map(hintHash)
    const ofKeys = subjects.map((subject) => hintHash(hintKey(this.#environmentId, subject)))
    return this.#told.some((told) => {
      const wanted = told.isHashed ? ofKeys : hashes
      return now - told.at < REMEMBERED_MS && wanted.some((hash) => told.hashes.includes(hash))
    })
  }

  #note(subjects: readonly string[], isHashed: boolean, at: number): void {
    if (subjects.length === 0) return
    this.#told.push({ at, isHashed, hashes: subjects.map(hintHash) })
    this.#count += subjects.length
    if (this.#count > MOST_TOLD) this.#noteEveryone(at)
  }

  #noteEveryone(now: number): void {
    this.#everyoneAt = now
    this.#told = []
    this.#count = 0
  }
}
