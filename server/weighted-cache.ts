interface Entry<Value> {
  readonly value: Value
  readonly weight: number
}

/** Keeps what was used last. Its weight in all is bounded, not only its count; the one that was set last stays in any case. */
export class WeightedCache<Key, Value> {
  readonly #entries = new Map<Key, Entry<Value>>()
  readonly #mostWeight: number
  readonly #weightOf: (value: Value) => number
  #weight = 0

  /** A weight is about how many bytes of memory a value takes. */
  constructor(mostWeight: number, weightOf: (value: Value) => number) {
    this.#mostWeight = mostWeight
    this.#weightOf = weightOf
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: Key): Value | undefined {
    const found = this.#entries.get(key)
    if (!found) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, found)
    return found.value
  }

  /** The least recently used go when it is too much. */
  set(key: Key, value: Value): void {
    this.delete(key)
    const weight = this.#weightOf(value)
    this.#entries.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#mostWeight || oldest === key) break
      this.delete(oldest)
    }
  }

  delete(key: Key): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0
    this.#entries.delete(key)
  }
}
