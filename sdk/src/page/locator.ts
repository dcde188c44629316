/** One locator, read. */
export type Locator =
  | { kind: 'testid'; value: string }
  | { kind: 'text'; value: string; isExact: boolean }
  | { kind: 'role'; role: string; name: string | null }
  | { kind: 'css'; value: string }

/** Null for a locator that cannot be read: then it matches nothing. */
export function readLocator(text: string): Locator | null {
  const end = text.indexOf('=')
  const value = text.slice(end + 1).trim()
  if (end < 0 || value === '') return null
  const kind = text.slice(0, end)
  switch (kind) {
    case 'testid':
    case 'css':
      return { kind, value }
    case 'text':
      return readText(value)
    case 'role':
      return readRole(value)
    default:
      return null
  }
}

/** In quotes the whole text counts, as in Playwright; without them a part of it, in any case. */
function readText(value: string): Locator {
  const isExact = value.length > 1 && value.startsWith('"') && value.endsWith('"')
  return { kind: 'text', value: isExact ? unquoted(value.slice(1, -1)) : value, isExact }
}

function readRole(value: string): Locator | null {
  const match = /^([a-z]+)(?:\[name="((?:[^"\\]|\\.)*)"\])?$/.exec(value)
  if (!match) return null
  return { kind: 'role', role: match[1] as string, name: match[2] === undefined ? null : unquoted(match[2]) }
}

function unquoted(text: string): string {
  return text.replace(/\\(.)/g, '$1')
}

/** As people read it: runs of white space are one space. */
export function normal(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
