import type { EnvironmentId } from '../database/database.ts'
import { hintKey } from '../hints/keys.ts'
import type { Changes } from '../hints/pending.ts'

/** A page opens its stream within three seconds after its decision; a decision and its answer take less than the rest. */
export const REMEMBERED_MS = 10_000
/** With more characters of users and groups everyone has changed: 100,000 short ids, or 15,000 of the longest. */
const MOST_CHARACTERS = 4_000_000
/** What a set takes for each, beside its characters. */
const CHARACTERS_OF_AN_ENTRY = 20

/** What was told at once. */
interface Told {
  at: number
  /** Users and groups; those that another node told are keys. */
  subjects: ReadonlySet<string>
  isHashed: boolean
  /** Counted of the most that is kept. */
  characters: number
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
  #characters = 0

  /** `now`: from when on this node hears of changes. */
  constructor(environmentId: EnvironmentId, now: number) {
    this.#environmentId = environmentId
    this.#since = now
  }

  note({ subjects, sessions }: Changes, isHashed: boolean, now: number): void {
    if (sessions.size > 0) this.#note(new Set(sessions.values()), isHashed, now)
    if (subjects === 'everyone') this.#noteEveryone(now)
    else this.#note(subjects, isHashed, now)
  }

  /** Drops what is older. Called often: an environment that becomes quiet notes nothing more. */
  forget(now: number): void {
    const kept = this.#told.findIndex(({ at }) => now - at < REMEMBERED_MS)
    const dropped = this.#told.splice(0, kept === -1 ? this.#told.length : kept)
    for (const { characters } of dropped) this.#characters -= characters
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

  #note(subjects: ReadonlySet<string>, isHashed: boolean, at: number): void {
    if (subjects.size === 0) return
    let characters = subjects.size * CHARACTERS_OF_AN_ENTRY
    for (const subject of subjects) characters += subject.length
    this.#told.push({ at, subjects, isHashed, characters })
    this.#characters += characters
    if (this.#characters > MOST_CHARACTERS) this.#noteEveryone(at)
  }

  #noteEveryone(now: number): void {
    this.#everyoneAt = now
    this.#told = []
    this.#characters = 0
  }
}
