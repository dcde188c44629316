/**
 * Whether an address fits a pattern. `*` is one part of the path, `**` any number of parts; inside a part `*` is any text.
 * `?tab=usage` asks for a parameter by its name and value, `?tab` for any value, `*` in a value for any text. A pattern that
 * begins with a scheme or `//` compares the host too, in which `*` is one label. What a pattern does not name may be anything.
 */
export function fitsUrl(pattern: string, address: string): boolean {
  try {
    const url = new URL(address)
    const { host, path, query } = partsOf(pattern)
    return fitsHost(host, url) && fitsPath(path, url.pathname) && fitsQuery(query, url.searchParams)
  } catch {
    return false
  }
}

function partsOf(pattern: string): { host: string | null; path: string | null; query: string | null } {
  const [beforeHash = ''] = pattern.split('#', 1)
  const mark = beforeHash.indexOf('?')
  const place = mark < 0 ? beforeHash : beforeHash.slice(0, mark)
  const query = mark < 0 ? null : beforeHash.slice(mark + 1)
  const start = place.indexOf('//')
  if (start < 0 || (start > 0 && place[start - 1] !== ':')) return { host: null, path: place || null, query }
  const slash = place.indexOf('/', start + 2)
  const host = slash < 0 ? place : place.slice(0, slash)
  return { host, path: slash < 0 ? null : place.slice(slash), query }
}

function fitsHost(host: string | null, url: URL): boolean {
  if (host === null) return true
  const [scheme, name = ''] = host.startsWith('//') ? ['', host.slice(2)] : (host.split('//') as [string, string])
  if (scheme && scheme !== url.protocol) return false
  const wanted = name.toLowerCase().split('.')
  const labels = url.host.split('.')
  return wanted.length === labels.length && wanted.every((label, index) => fitsText(label, labels[index] as string))
}

function fitsPath(pattern: string | null, path: string): boolean {
  if (pattern === null) return true
  const wanted = pattern.split('/').filter(Boolean)
  const parts = path.split('/').filter(Boolean).map(decoded)
  return fitsList(wanted, parts)
}

/** Greedy with one place to go back to: linear for every `**` in practice, and never more than parts × wanted. */
function fitsList(wanted: readonly string[], parts: readonly string[]): boolean {
  let at = 0
  let star = -1
  let resume = 0
  let index = 0
  while (index < parts.length) {
    const one = wanted[at]
    if (one === '**') {
      star = at++
      resume = index
    } else if (one !== undefined && fitsText(decoded(one), parts[index] as string)) {
      at++
      index++
    } else if (star >= 0) {
      at = star + 1
      index = ++resume
    } else return false
  }
  return wanted.slice(at).every((one) => one === '**')
}

function fitsQuery(query: string | null, given: URLSearchParams): boolean {
  if (!query) return true
  return query.split('&').every((part) =>
    [...new URLSearchParams(part)].every(([name, value]) => {
      const values = given.getAll(name)
      return part.includes('=') ? values.some((one) => fitsText(value, one)) : values.length > 0
    }),
  )
}

/** `*` is any text. The pieces between the stars follow each other: no regular expression, and linear. */
export function fitsText(pattern: string, text: string): boolean {
  const pieces = pattern.split('*')
  if (pieces.length === 1) return pattern === text
  const first = pieces.shift() as string
  const last = pieces.pop() as string
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false
  let from = first.length
  for (const piece of pieces) {
    const found = text.indexOf(piece, from)
    if (found < 0) return false
    from = found + piece.length
  }
  return from <= text.length - last.length
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
