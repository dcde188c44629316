/** Works on all items, one after the other. One that fails holds up no other: the first failure is thrown afterwards. */
export async function eachDespiteFailures<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  for (const item of items) await work(item).catch((error) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
