const MOST_CHARACTERS = 500_000

/** A function of a text that remembers what it has made of the last ones. The results are shared, so nothing may change them. */
export function remembered<Result>(make: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, { result: Result }>()
  let characters = 0
  return (text) => {
    const found = known.get(text)
    if (found) return found.result
    const result = make(text)
    characters += text.length
    if (characters > MOST_CHARACTERS) {
      known.clear()
      characters = text.length
    }
    known.set(text, { result })
    return result
  }
}
