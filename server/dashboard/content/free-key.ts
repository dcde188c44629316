const MOST_CHARACTERS = 64

/** The key, or the first of `key-2`, `key-3` … that is not taken. */
export function freeKey(key: string, taken: ReadonlySet<string>): string {
  if (!taken.has(key)) return key
  for (let number = 2; ; number++) {
    const end = `-${number}`
    const next = key.slice(0, MOST_CHARACTERS - end.length) + end
    if (!taken.has(next)) return next
  }
}
