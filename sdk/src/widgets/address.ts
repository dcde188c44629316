const ALLOWED = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/** The absolute address of a link or of `open`, or null when it is none of the kinds that content may open. */
export function safeAddress(href: string, base: string): string | null {
  try {
    const url = new URL(href, base)
    return ALLOWED.has(url.protocol) ? url.href : null
  } catch {
    return null
  }
}

/** Of an image or a video: https only, as the schema of documents says. */
export function safeSource(href: string): string | null {
  try {
    const url = new URL(href)
    return url.protocol === 'https:' ? url.href : null
  } catch {
    return null
  }
}
