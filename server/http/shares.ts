/** How much each one holds. Who holds nothing takes no memory. */
export class Shares<Key> {
  readonly #held = new Map<Key, number>()

  of(key: Key): number {
    return this.#held.get(key) ?? 0
  }

  add(key: Key, amount: number): void {
    const held = this.of(key) + amount
    if (held > 0) this.#held.set(key, held)
    else this.#held.delete(key)
  }
}
