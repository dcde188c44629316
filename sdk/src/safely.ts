const warned = new Set<string>()

/** Each text once, and no more than a page can have by mistake. */
export function warnOnce(text: string): void {
  if (warned.has(text) || warned.size > 100) return
  warned.add(text)
  console.warn(`usher: ${text}`)
}

/** For what the browser calls: no exception of ours becomes an error of the page. */
export function safely<Words extends unknown[]>(run: (...words: Words) => void): (...words: Words) => void {
  return (...words) => {
    try {
      run(...words)
    } catch (error) {
      warnOnce(String(error))
    }
  }
}
