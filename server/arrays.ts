/** Sorted by code unit, each once: the order in which locks are taken. */
export function sortedUnique(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort()
}
