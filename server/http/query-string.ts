import { limits } from '../../contract/limits.ts'
import { errors } from '../errors.ts'

/**
 * Reads `a=1`, `a=1&a=2`, `a[]=1` and `a[0]=1`; a name that comes more than once becomes a list. More parameters than any
 * operation has use for are refused before they are read.
 */
export function parseQueryString(text: string): Record<string, string | string[]> {
  // Without a prototype, so that parameters named `__proto__` or `constructor` work.
  const query: Record<string, string | string[]> = Object.create(null)
  if (text === '') return query
  for (const part of partsOf(text)) {
    const end = part.indexOf('=')
    const name = decode(end < 0 ? part : part.slice(0, end)).replace(/\[\d{0,9}\]$/, '')
    const value = end < 0 ? '' : decode(part.slice(end + 1), name)
    const before = query[name]
    if (before === undefined) query[name] = value
    else if (typeof before === 'string') query[name] = [before, value]
    else before.push(value)
  }
  return query
}

function partsOf(text: string): string[] {
  const parts = text.split('&').filter((part) => part !== '')
  if (parts.length <= limits.queryParameters) return parts
  const message = `The query has ${parts.length} parameters; send at most ${limits.queryParameters}`
  throw errors.invalidParams([{ param: undefined, message }])
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
