const warned = new Set<string>()

/** Each text once, and no more than a page can have by mistake. True when it was new. */
export function warnOnce(text: string): boolean {
  if (warned.has(text) || warned.size > 100) return false
  warned.add(text)
  console.warn(`usher: ${text}`)
  return true
}

let tell: (message: string) => void = () => {}

/** Who is told of each exception that we have caught, once. */
export function tellErrors(to: typeof tell): void {
  tell = to
}

/** For what the browser calls: no exception of ours becomes an error of the page. */
export function safely<Words extends unknown[]>(run: (...words: Words) => void): (...words: Words) => void {
  return (...words) => {
    try {
      run(...words)
    } catch (error) {
      if (warnOnce(String(error))) tell(String(error))
    }
  }
}
