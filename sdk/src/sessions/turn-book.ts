import { loadPart } from './parts.ts'
import { openChannel, type RequestTurn, requestTurn, type Turn } from './turns.ts'

const CHANNEL = 'usher.turns'

/**
 * Which places this tab may fill. A tab in front gets the turn of a tab behind: it says that it wants it, and the other one, if
 * nobody sees it, takes its widget away and then lets go. So two tabs never show the same thing.
 */
export class TurnBook {
  readonly #held = new Map<string, Turn>()
  readonly #waiting = new Map<string, AbortController>()
  readonly #names = new Map<string, string>()
  readonly #yielded: (place: string) => void
  readonly #arrived: (afterMs: number) => void
  /**
   * Open only while this tab has or wants a turn. A page that is kept for the way back would be thrown away at the first message
   * to a channel of it, and the next page sends one.
   */
  #channel: BroadcastChannel | null = null

  /** `yielded`: take what is shown there off the screen. `arrived`: a turn came, so long after it was asked for. */
  constructor(yielded: (place: string) => void, arrived: (afterMs: number) => void) {
    this.#yielded = yielded
    this.#arrived = arrived
  }

  has(place: string): boolean {
    return this.#held.has(place)
  }

  /** Asks for a turn. When it comes, the page is looked at again. */
  request(place: string, user: string): void {
    if (this.#waiting.has(place)) return void this.#channel?.postMessage(nameOf(place, user))
    const begun = performance.now()
    void this.#get(place, user, false).then((turn) => {
      if (turn) this.#arrived(performance.now() - begun)
    })
  }

  /** Takes a turn at once, also from a tab in front: the user has asked for it here. */
  async take(place: string, user: string): Promise<boolean> {
    this.#waiting.get(place)?.abort()
    this.#waiting.delete(place)
    return this.has(place) || (await this.#get(place, user, true)) !== null
  }

  release(place: string): void {
    this.#waiting.get(place)?.abort()
    this.#waiting.delete(place)
    this.#held.get(place)?.release()
    this.#held.delete(place)
    this.#rest()
  }

  /** Lets go of the turns that are not needed, also of those that are waited for. */
  keep(isNeeded: (place: string) => boolean): void {
    for (const place of [...this.#held.keys(), ...this.#waiting.keys()]) if (!isNeeded(place)) this.release(place)
  }

  /** Where tabs cannot ask each other, one that nobody sees lets go by itself. */
  turned(): void {
    if (this.#channel || document.visibilityState === 'visible') return
    for (const place of this.#held.keys()) this.#yield(place)
  }

  async #get(place: string, user: string, takes: boolean): Promise<Turn | null> {
    const abort = new AbortController()
    const name = nameOf(place, user)
    this.#waiting.set(place, abort)
    this.#names.set(place, name)
    this.#listen()
    if (!takes) this.#channel?.postMessage(name)
    const turn = await requestTurn(name, { signal: abort.signal, takes, lost: () => this.#lost(place) }, byMessages)
    if (this.#waiting.get(place) !== abort) {
      turn?.release()
      return null
    }
    this.#waiting.delete(place)
    if (turn) this.#held.set(place, turn)
    this.#rest()
    return turn
  }

  #listen(): void {
    this.#channel ??= openChannel(CHANNEL)
    if (this.#channel) this.#channel.onmessage = ({ data }) => this.#wanted(data)
  }

  #rest(): void {
    if (this.#held.size + this.#waiting.size > 0) return
    this.#channel?.close()
    this.#channel = null
  }

  /** `name`: also anything else that a page sends. */
  #wanted(name: unknown): void {
    if (document.visibilityState === 'visible') return
    for (const place of this.#held.keys()) {
      if (this.#names.get(place) !== name) continue
      this.#yield(place)
    }
  }

  #yield(place: string): void {
    this.#yielded(place)
    this.release(place)
  }

  #lost(place: string): void {
    this.#held.delete(place)
    this.#yielded(place)
    this.#rest()
  }
}

const byMessages: RequestTurn = async (...words) => {
  const part = await loadPart('stream').catch(() => null)
  return part && (await part.byMessages(...words))
}

function nameOf(place: string, user: string): string {
  return `usher ${place} ${user}`
}
