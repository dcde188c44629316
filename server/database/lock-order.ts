/** Sorted by code unit, without duplicates: the order in which locks are taken. */
export function sortedUnique(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort()
}
