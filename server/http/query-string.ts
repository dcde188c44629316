import { errors } from '../errors.ts'

/** Reads `a=1`, `a=1&a=2`, `a[]=1` and `a[0]=1`; a name that comes more than once becomes a list. */
export function parseQueryString(text: string): Record<string, string | string[]> {
  // Without a prototype, so that parameters named `__proto__` or `constructor` work.
  const query: Record<string, string | string[]> = Object.create(null)
  if (text === '') return query
  for (const part of text.split('&')) {
    if (part === '') continue
    const end = part.indexOf('=')
    const name = decode(end < 0 ? part : part.slice(0, end)).replace(/\[\d{0,9}\]$/, '')
    const value = end < 0 ? '' : decode(part.slice(end + 1), name)
    const before = query[name]
    query[name] = before === undefined ? value : [before, value].flat()
  }
  return query
}

function decode(text: string, param?: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    throw errors.invalidParams([{ param, message: 'is not percent-encoded UTF-8: write % as %25, and & as %26' }])
  }
}
