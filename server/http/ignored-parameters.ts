import type { Exchange } from './exchange.ts'

const MOST_NAMES = 20
const MOST_CHARACTERS = 100

/** Query parameters that an operation does not have are ignored. A header and the log name them, since they may be misspelt. */
export function noteIgnored(exchange: Exchange, query: object, known: ReadonlySet<string>): void {
  const names = Object.keys(query).filter((name) => !known.has(name))
  if (names.length === 0) return
  exchange.ignoredParameters = names
    .slice(0, MOST_NAMES)
    .map((name) => encodeURIComponent(name.toWellFormed().slice(0, MOST_CHARACTERS).toWellFormed()))
    .join(', ')
  exchange.setHeaders({ 'usher-ignored-parameters': exchange.ignoredParameters })
}
