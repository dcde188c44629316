import type { EnvironmentId } from '../database/database.ts'
import { hintKey } from '../hints/keys.ts'
import type { Changes } from '../hints/pending.ts'

/** A page opens its stream within three seconds after its decision; a decision and its answer take less than the rest. */
export const REMEMBERED_MS = 10_000
/** With more of them everyone has changed. */
const MOST = 100_000

/** What was told at once. */
interface Told {
  at: number
  /** Users and groups; those that another node told are keys. */
  subjects: ReadonlySet<string>
  isHashed: boolean
}

/**
 * What was told in one environment in the last ten seconds: a stream that opens now did not hear of it, and the decision before
 * it may not know it. Nothing is read: this node hears of all changes while it watches the environment.
 *
 * What was told is kept as it came, every 20 ms, and searched when a stream opens. There are far more changes than new streams.
 */
export class RecentChanges {
  readonly #environmentId: EnvironmentId
  readonly #since: number
  #everyoneAt = Number.NEGATIVE_INFINITY
  /** The newest last. */
  #told: Told[] = []
  #size = 0

  /** `now`: from when on this node hears of changes. */
  constructor(environmentId: EnvironmentId, now: number) {
    this.#environmentId = environmentId
    this.#since = now
  }

  note({ subjects, sessions }: Changes, isHashed: boolean, now: number): void {
    if (sessions.size > 0) this.#note({ at: now, subjects: new Set(sessions.values()), isHashed })
    if (subjects === 'everyone') this.#noteEveryone(now)
    else this.#note({ at: now, subjects, isHashed })
  }

  /** Drops what is older. Called often: an environment that becomes quiet notes nothing more. */
  forget(now: number): void {
    const kept = this.#told.findIndex(({ at }) => now - at < REMEMBERED_MS)
    const dropped = this.#told.splice(0, kept === -1 ? this.#told.length : kept)
    for (const { subjects } of dropped) this.#size -= subjects.size
  }

  /** Whether a stream that opens now may have missed a change of these. True while this node has heard too little. */
  mayHaveMissed(subjects: readonly string[], now: number): boolean {
    if (now - Math.max(this.#since, this.#everyoneAt) < REMEMBERED_MS) return true
    const keys = subjects.map((subject) => hintKey(this.#environmentId, subject))
    return this.#told.some((told) => {
      const names = told.isHashed ? keys : subjects
      return now - told.at < REMEMBERED_MS && names.some((name) => told.subjects.has(name))
    })
  }

  #note(told: Told): void {
    if (told.subjects.size === 0) return
    this.#told.push(told)
    this.#size += told.subjects.size
    if (this.#size > MOST) this.#noteEveryone(told.at)
  }

  #noteEveryone(now: number): void {
    this.#everyoneAt = now
    this.#told = []
    this.#size = 0
  }
}
