import type { Logger } from 'pino'
import { ON_TERMINAL } from '../log.ts'
import type { Exchange } from './exchange.ts'
import { pathOf } from './router.ts'

/** Counts the answers of the operation with this name. */
export interface AnswerCounts {
  operation(name: string): (status: number, code: string, seconds: number) => void
}

export interface ObserverOptions {
  /** Whether each success is worth a line for the person at the terminal. */
  onTerminal?: boolean
  /** Reads that a page repeats by itself: they would fill the terminal. */
  readsAreRepeated?: boolean
}

/**
 * Counts and logs the answers of the endpoint with this name. A success is logged at level debug, or info on a
 * terminal, a refusal at info. 5xx were logged with their cause when they failed. A request over the rate limit is only
 * counted: a flood of them must cost little.
 */
export function observer(
  counts: AnswerCounts,
  name: string,
  log: Logger,
  { onTerminal = ON_TERMINAL, readsAreRepeated = false }: ObserverOptions = {},
): (exchange: Exchange) => void {
  const levelOf = ({ method }: Exchange) =>
    onTerminal && !(readsAreRepeated && method === 'GET') ? ('info' as const) : ('debug' as const)
  const logsSuccess = log.isLevelEnabled(onTerminal ? 'info' : 'debug')
  const count = counts.operation(name)
  return (exchange) => {
    const status = exchange.response.statusCode
    const ms = exchange.elapsedMs
    count(status, exchange.failureCode, ms / 1000)
    if (status < 400 ? !logsSuccess : status >= 500 || status === 429) return
    const details = { ...describe(exchange), operation: name, status, ms: Math.round(ms * 10) / 10 }
    if (status < 400) log[levelOf(exchange)](details, 'answered')
    else log.info({ ...details, code: exchange.failureCode, reason: exchange.failure?.message }, 'refused')
  }
}

/** For the log: the path without the query, which may hold an e-mail address. */
export function describe({ id, method, url, environmentId, ignoredParameters }: Exchange): object {
  return { reqId: id, method, path: pathOf(url).slice(0, 200), environment: environmentId, ignoredParameters }
}
