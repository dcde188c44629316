/** More of them in one message than this concern everyone: a payload of NOTIFY holds 8,000 bytes. */
const MOST_SUBJECTS = 500
const EVERYONE_MS = 10_000

/** What has changed in one environment since the last message. */
export interface Changes {
  /** Users and groups (`keys.ts`), one perhaps several times, or everyone of the environment. */
  subjects: readonly string[] | 'everyone'
  /** Sessions that changed, by their ids, with their user. */
  sessions: ReadonlyMap<string, string>
}

/**
 * Gathers the changes of one environment. "Everyone" is said at most every ten seconds, since pages spread their questions over
 * that time; what follows waits until then.
 */
export class PendingHints {
  /** Not a set, which takes longer: it is added to for each event, and most of a moment are different. */
  #subjects: string[] = []
  /** From how many on it is looked which of them are the same. */
  #most = MOST_SUBJECTS
  #sessions = new Map<string, string>()
  #everyone = false
  #everyoneAt = Number.NEGATIVE_INFINITY

  add(subject: string): void {
    if (this.#everyone) return
    if (this.#subjects.push(subject) > this.#most) this.#unite()
  }

  addEveryone(): void {
    this.#everyone = true
    this.#clear()
  }

  addSession(id: string, subject: string): void {
    if (this.#sessions.size < MOST_SUBJECTS) this.#sessions.set(id, subject)
    else this.add(subject)
  }

  /** Undefined when there is nothing to say now. */
  take(now: number): Changes | undefined {
    const sessions = this.#sessions
    this.#sessions = new Map()
    const subjects = this.#takeSubjects(now)
    return subjects === undefined && sessions.size === 0 ? undefined : { subjects: subjects ?? [], sessions }
  }

  #unite(): void {
    const subjects = [...new Set(this.#subjects)]
    this.#subjects = subjects
    this.#most = Math.max(MOST_SUBJECTS, 2 * subjects.length)
    if (subjects.length > MOST_SUBJECTS) this.addEveryone()
  }

  #clear(): void {
    this.#subjects = []
    this.#most = MOST_SUBJECTS
  }

  #takeSubjects(now: number): string[] | 'everyone' | undefined {
    if (this.#subjects.length > MOST_SUBJECTS) this.#unite()
    if (this.#everyone) {
      if (now - this.#everyoneAt < EVERYONE_MS) return undefined
      this.#everyone = false
      this.#everyoneAt = now
      return 'everyone'
    }
    if (this.#subjects.length === 0) return undefined
    const subjects = this.#subjects
    this.#clear()
    return subjects
  }

  /** Whether nothing waits, and nothing is remembered. */
  isIdle(now: number): boolean {
    const isEmpty = !this.#everyone && this.#subjects.length + this.#sessions.size === 0
    return isEmpty && now - this.#everyoneAt >= EVERYONE_MS
  }
}
