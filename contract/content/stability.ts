/** How likely a locator still finds its element after the page was changed. */
export interface Stability {
  level: 'stable' | 'fair' | 'weak'
  words: string
}

/** Only positions and generated names are left of such an element when the page changes. */
const WEAK = /^css=.*(?::nth-|[>~+] |[a-z]-?[0-9a-f]{5})/i

export function stabilityOf(locator: string): Stability {
  if (locator.startsWith('testid=')) return { level: 'stable', words: 'a test id stays when the page is redesigned' }
  if (/^css=#[\w-]+$|^css=\[name=/.test(locator) && !WEAK.test(locator))
    return { level: 'stable', words: 'an id or a name rarely changes' }
  if (/^(role|text)=/.test(locator)) return { level: 'fair', words: 'it breaks when the words change' }
  if (WEAK.test(locator)) return { level: 'weak', words: 'it rests on positions or generated names. Add a test id' }
  return { level: 'fair', words: 'it breaks when the structure changes' }
}
