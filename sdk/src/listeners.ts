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

  /**
   * After what has happened, so that a listener may end it or forget the user. An error of a listener is one of the page, which
   * should see it, and we go on.
   */
  readonly emit = (event: UsherEvent, detail: unknown): void => {
    for (const listener of this.#byEvent.get(event) ?? []) queueMicrotask(() => listener(detail))
  }
}
