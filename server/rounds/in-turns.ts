/**
 * Gives each item a step in turn, until it has none left or the time is over: one with much to do does not hold up the others.
 * It begins anywhere among them, so that no item is always too late. One that fails gets no further step, and the first
 * failure is thrown afterwards. `endsAt` is of the monotonic clock.
 */
export async function inTurns<Item>(
  items: readonly Item[],
  endsAt: number,
  step: (item: Item) => Promise<boolean>,
): Promise<void> {
  const first = Math.floor(Math.random() * items.length)
  const queue = [...items.slice(first), ...items.slice(0, first)]
  const failures: unknown[] = []
  while (queue.length > 0 && performance.now() < endsAt) {
    const item = queue.shift() as Item
    const isMore = await step(item).catch((error) => {
      failures.push(error)
      return false
    })
    if (isMore) queue.push(item)
  }
  if (failures.length > 0) throw failures[0]
}
