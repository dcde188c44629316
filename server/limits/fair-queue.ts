/** A place in the queue; whoever holds it can leave again. */
export interface Place<Item> {
  readonly item: Item
  readonly line: Line<Item>
  before: Place<Item> | undefined
  after: Place<Item> | undefined
  left: boolean
}

/** The places of one account, in the order they came. */
interface Line<Item> {
  readonly key: number
  first: Place<Item> | undefined
  last: Place<Item> | undefined
  size: number
}

/** A queue that serves accounts in turn, and each account's items in their order. Leaving from the middle costs the same as serving. */
export class FairQueue<Item> {
  /** In the order in which accounts are served next. */
  readonly #lines = new Map<number, Line<Item>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  sizeOf(key: number): number {
    return this.#lines.get(key)?.size ?? 0
  }

  push(key: number, item: Item): Place<Item> {
    const line = this.#lines.get(key) ?? this.#open(key)
    const place: Place<Item> = { item, line, before: line.last, after: undefined, left: false }
    if (line.last) line.last.after = place
    else line.first = place
    line.last = place
    line.size += 1
    this.#size += 1
    return place
  }

  /** The next in turn; its account goes to the end of the round. */
  shift(): Item | undefined {
    const line = this.#lines.values().next().value
    const place = line?.first
    if (!line || !place) return undefined
    this.#lines.delete(line.key)
    this.#lines.set(line.key, line)
    this.leave(place)
    return place.item
  }

  /** Returns whether the place was still in the queue. */
  leave(place: Place<Item>): boolean {
    if (place.left) return false
    place.left = true
    const { line, before, after } = place
    if (before) before.after = after
    else line.first = after
    if (after) after.before = before
    else line.last = before
    line.size -= 1
    this.#size -= 1
    if (line.size === 0) this.#lines.delete(line.key)
    return true
  }

  /** The youngest place of the account that has the most. */
  youngestOfLongest(): Place<Item> | undefined {
    let longest: Line<Item> | undefined
    for (const line of this.#lines.values()) if (line.size > (longest?.size ?? 0)) longest = line
    return longest?.last
  }

  #open(key: number): Line<Item> {
    const line: Line<Item> = { key, first: undefined, last: undefined, size: 0 }
    this.#lines.set(key, line)
    return line
  }
}
