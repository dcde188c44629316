/** Works on all items, at most this many at the same time. */
export async function eachAtMost<Item>(
  most: number,
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items.values()
  const one = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, one))
}
