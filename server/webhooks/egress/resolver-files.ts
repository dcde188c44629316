import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'

/** A change of a file is seen after this long. */
const REREAD_MS = 5_000

/**
 * A small text file that is read again when it is needed, every 5 s at most. It is read synchronously: 0.02 ms, and no
 * thread of libuv's pool. A file that cannot be read counts as empty.
 */
export class TextFile {
  text = ''
  readonly #path: string
  #readAt = Number.NEGATIVE_INFINITY

  constructor(path: string) {
    this.#path = path
  }

  /** Whether the text has changed since the last call. */
  changed(): boolean {
    const now = performance.now()
    if (now - this.#readAt < REREAD_MS) return false
    this.#readAt = now
    const before = this.text
    this.text = this.#read()
    return this.text !== before
  }

  #read(): string {
    try {
      return readFileSync(this.#path, 'utf8')
    } catch {
      return ''
    }
  }
}

/** The names of a hosts file with their addresses, in the order of the file. */
export function readHosts(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>()
  for (const [address, ...names] of words(text)) {
    if (address === undefined || isIP(address) === 0) continue
    for (const name of names) {
      const addresses = hosts.get(name.toLowerCase()) ?? []
      if (!addresses.includes(address)) addresses.push(address)
      hosts.set(name.toLowerCase(), addresses)
    }
  }
  return hosts
}

/** The last `search` or `domain` line of resolv.conf counts. */
export function readSearchDomains(text: string): string[] {
  const [, ...domains] = words(text).findLast(([keyword]) => keyword === 'search' || keyword === 'domain') ?? []
  return domains.map((domain) => domain.toLowerCase().replace(/\.$/, '')).filter((domain) => domain !== '')
}

function words(text: string): string[][] {
  const lines = text.split('\n').map((line) => line.replace(/[#;].*/, '').trim())
  return lines.filter((line) => line !== '').map((line) => line.split(/\s+/))
}
