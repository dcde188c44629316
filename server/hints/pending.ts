/** More of them in one message than this concern everyone: a payload of NOTIFY holds 8,000 bytes. */
export const MOST_KEYS = 500
const EVERYONE_MS = 10_000

/** What has changed in one environment since the last message. */
export interface Changes {
  /** Of users and groups, or everyone of the environment. */
  keys: ReadonlySet<string> | 'everyone'
  /** Sessions that changed, by their ids, with the key of their user. */
  sessions: ReadonlyMap<string, string>
}

/**
 * Gathers the changes of one environment. "Everyone" is said at most every ten seconds, since pages spread their questions over
 * that time; what follows waits until then.
 */
export class PendingHints {
  #keys = new Set<string>()
  #sessions = new Map<string, string>()
  #everyone = false
  #everyoneAt = Number.NEGATIVE_INFINITY

  add(key: string): void {
    if (this.#everyone) return
    this.#keys.add(key)
    if (this.#keys.size > MOST_KEYS) this.addEveryone()
  }

  addEveryone(): void {
    this.#everyone = true
    this.#keys.clear()
  }

  addSession(id: string, key: string): void {
    if (this.#sessions.size < MOST_KEYS) this.#sessions.set(id, key)
    else this.add(key)
  }

  /** Undefined when there is nothing to say now. */
  take(now: number): Changes | undefined {
    const sessions = this.#sessions
    this.#sessions = new Map()
    const keys = this.#takeKeys(now)
    return keys === undefined && sessions.size === 0 ? undefined : { keys: keys ?? new Set(), sessions }
  }

  #takeKeys(now: number): Set<string> | 'everyone' | undefined {
    if (this.#everyone) {
      if (now - this.#everyoneAt < EVERYONE_MS) return undefined
      this.#everyone = false
      this.#everyoneAt = now
      return 'everyone'
    }
    if (this.#keys.size === 0) return undefined
    const keys = this.#keys
    this.#keys = new Set()
    return keys
  }

  /** Whether nothing waits, and nothing is remembered. */
  isIdle(now: number): boolean {
    const isEmpty = !this.#everyone && this.#keys.size + this.#sessions.size === 0
    return isEmpty && now - this.#everyoneAt >= EVERYONE_MS
  }
}
