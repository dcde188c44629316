/** One item in the queue. The entry can be removed again. */
export interface QueueEntry<Item> {
  readonly item: Item
  readonly line: Line<Item>
  before: QueueEntry<Item> | undefined
  after: QueueEntry<Item> | undefined
  left: boolean
}

/** The entries of one account, in order of arrival. */
interface Line<Item> {
  readonly key: number
  first: QueueEntry<Item> | undefined
  last: QueueEntry<Item> | undefined
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

  push(key: number, item: Item): QueueEntry<Item> {
    const line = this.#lines.get(key) ?? this.#open(key)
    const entry: QueueEntry<Item> = { item, line, before: line.last, after: undefined, left: false }
    if (line.last) line.last.after = entry
    else line.first = entry
    line.last = entry
    line.size += 1
    this.#size += 1
    return entry
  }

  /** The next item. Its account goes to the end of the round. */
  shift(): Item | undefined {
    const line = this.#lines.values().next().value
    const entry = line?.first
    if (!line || !entry) return undefined
    this.#lines.delete(line.key)
    this.#lines.set(line.key, line)
    this.leave(entry)
    return entry.item
  }

  /** Returns whether the entry was still in the queue. */
  leave(entry: QueueEntry<Item>): boolean {
    if (entry.left) return false
    entry.left = true
    const { line, before, after } = entry
    if (before) before.after = after
    else line.first = after
    if (after) after.before = before
    else line.last = before
    line.size -= 1
    this.#size -= 1
    if (line.size === 0) this.#lines.delete(line.key)
    return true
  }

  /** The youngest entry of the account with the most entries. */
  youngestOfLongest(): QueueEntry<Item> | undefined {
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
