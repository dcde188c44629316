/** Reads `a=1`, `a=1&a=2`, `a[]=1` and `a[0]=1`; a name that comes more than once becomes a list. */
export function parseQueryString(text: string): Record<string, string | string[]> {
  // Without a prototype: a parameter named `__proto__` or `constructor` is a parameter like any other.
  const query: Record<string, string | string[]> = Object.create(null)
  if (text === '') return query
  for (const [rawName, value] of new URLSearchParams(text)) {
    const name = rawName.replace(/\[\d{0,9}\]$/, '')
    const before = query[name]
    query[name] = before === undefined ? value : [before, value].flat()
  }
  return query
}
