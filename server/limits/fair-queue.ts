/** One item in the queue. The entry can be removed again. */
export interface QueueEntry<Item> {
  readonly item: Item
  readonly queue: AccountQueue<Item>
  before: QueueEntry<Item> | undefined
  after: QueueEntry<Item> | undefined
  left: boolean
}

/** The entries of one account, in order of arrival. */
interface AccountQueue<Item> {
  readonly key: number
  first: QueueEntry<Item> | undefined
  last: QueueEntry<Item> | undefined
  size: number
}

/** A queue that serves accounts in turn, and each account's items in their order. Leaving from the middle costs the same as serving. */
export class FairQueue<Item> {
  /** In the order in which accounts are served next. */
  readonly #queues = new Map<number, AccountQueue<Item>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  sizeOf(key: number): number {
    return this.#queues.get(key)?.size ?? 0
  }

  push(key: number, item: Item): QueueEntry<Item> {
    const queue = this.#queues.get(key) ?? this.#open(key)
    const entry: QueueEntry<Item> = { item, queue, before: queue.last, after: undefined, left: false }
    if (queue.last) queue.last.after = entry
    else queue.first = entry
    queue.last = entry
    queue.size += 1
    this.#size += 1
    return entry
  }

  /** The next item of an account that may be served. The account goes to the end of the round. */
  shift(mayServe: (key: number) => boolean): Item | undefined {
    const queue = this.#queues.values().find(({ key }) => mayServe(key))
    const entry = queue?.first
    if (!queue || !entry) return undefined
    this.#queues.delete(queue.key)
    this.#queues.set(queue.key, queue)
    this.leave(entry)
    return entry.item
  }

  /** Returns whether the entry was still in the queue. */
  leave(entry: QueueEntry<Item>): boolean {
    if (entry.left) return false
    entry.left = true
    const { queue, before, after } = entry
    if (before) before.after = after
    else queue.first = after
    if (after) after.before = before
    else queue.last = before
    queue.size -= 1
    this.#size -= 1
    if (queue.size === 0) this.#queues.delete(queue.key)
    return true
  }

  /** The youngest entry of the account with the most entries. */
  youngestOfLongest(): QueueEntry<Item> | undefined {
    let longest: AccountQueue<Item> | undefined
    for (const queue of this.#queues.values()) if (queue.size > (longest?.size ?? 0)) longest = queue
    return longest?.last
  }

  #open(key: number): AccountQueue<Item> {
    const queue: AccountQueue<Item> = { key, first: undefined, last: undefined, size: 0 }
    this.#queues.set(key, queue)
    return queue
  }
}
