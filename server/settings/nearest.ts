/** The candidate with the smallest edit distance. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  return candidates.toSorted((a, b) => distance(word, a) - distance(word, b))[0]
}

function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const exchanged = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(exchanged, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[to.length] as number
}
