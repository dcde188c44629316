import type { UsherEvent, UsherListener } from './methods.ts'

/** The page's own listeners. */
export class Listeners {
  readonly #byEvent = new Map<UsherEvent, Set<UsherListener>>()

  add(event: UsherEvent, listener: UsherListener): void {
    if (typeof listener !== 'function') return
    const all = this.#byEvent.get(event) ?? new Set()
    this.#byEvent.set(event, all.add(listener))
  }

  remove(event: UsherEvent, listener: UsherListener): void {
    this.#byEvent.get(event)?.delete(listener)
  }

  readonly emit = (event: UsherEvent, detail: unknown): void => {
    // A copy: a component that is drawn anew by an event takes its listener away and adds another one meanwhile.
    for (const listener of new Set(this.#byEvent.get(event))) {
      try {
        listener(detail)
      } catch (error) {
        // An error of the page's own listener: the page should see it, and we go on.
        setTimeout(() => {
          throw error
        })
      }
    }
  }
}
