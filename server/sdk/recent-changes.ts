import { hintKey } from '../hints/keys.ts'
import type { Changes } from '../hints/pending.ts'

/** A page opens its stream within three seconds after its decision; a decision and its answer take less than the rest. */
export const REMEMBERED_MS = 10_000
/** With more of them everyone has changed. */
const MOST = 10_000

/**
 * What was told in one environment in the last ten seconds: a stream that opens now did not hear of it, and the decision before
 * it may not know it. Nothing is read: this node hears of all changes while it watches the environment.
 */
export class RecentChanges {
  readonly #since: number
  #everyoneAt = Number.NEGATIVE_INFINITY
  /** When each user and group has changed, the newest last. Those that other nodes told are keys. */
  readonly #changed = new Map<string, number>()

  /** `now`: from when on this node hears of changes. */
  constructor(now: number) {
    this.#since = now
  }

  note({ subjects, sessions }: Changes, now: number): void {
    if (subjects === 'everyone') this.#noteEveryone(now)
    else for (const subject of subjects) this.#note(subject, now)
    for (const user of sessions.values()) this.#note(user, now)
  }

  /** Drops what is older. Called often: an environment that becomes quiet notes nothing more. */
  forget(now: number): void {
    for (const [subject, at] of this.#changed) {
      if (now - at < REMEMBERED_MS) break
      this.#changed.delete(subject)
    }
  }

  /** Whether a stream that opens now may have missed a change of these. True while this node has heard too little. */
  mayHaveMissed(subjects: readonly string[], now: number): boolean {
    if (now - Math.max(this.#since, this.#everyoneAt) < REMEMBERED_MS) return true
    return subjects.some((subject) => this.#isRecent(subject, now) || this.#isRecent(hintKey(subject), now))
  }

  #note(subject: string, now: number): void {
    this.#changed.delete(subject)
    this.#changed.set(subject, now)
    if (this.#changed.size > MOST) this.#noteEveryone(now)
  }

  #noteEveryone(now: number): void {
    this.#everyoneAt = now
    this.#changed.clear()
  }

  #isRecent(subject: string, now: number): boolean {
    return now - (this.#changed.get(subject) ?? Number.NEGATIVE_INFINITY) < REMEMBERED_MS
  }
}
