import { pino } from 'pino'
import pretty from 'pino-pretty'
import { errorForLog } from './log-error.ts'

/** What the parts of the server need of a logger; pino's own type is wider. */
export interface Log {
  debug(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** Whether a person watches: lines for reading, one per request. */
export const ON_TERMINAL = process.stdout.isTTY === true

/**
 * Lines of JSON for a log collector, lines for people on a terminal.
 * `authorization` and secrets are removed here as a second net; no call is meant to hand them in.
 */
export function createLog(level: string, terminal: boolean = ON_TERMINAL) {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: errorForLog },
    redact: ['req.headers.authorization', 'headers.authorization', 'secret', 'key', 'password'],
  }
  return terminal ? pino(options, pretty(terminalLines)) : pino(options)
}

interface RequestLine {
  method?: string
  path?: string
  status?: number
  ms?: number
  environment?: number
  code?: string
  reason?: string
}

const REQUEST_FIELDS = 'reqId,operation,method,path,status,ms,environment,code,reason'

/** One line per request; what else is logged keeps its fields, on the same line. */
const terminalLines = {
  translateTime: 'SYS:HH:MM:ss',
  ignore: `pid,hostname,${REQUEST_FIELDS}`,
  singleLine: true,
  messageFormat: (line: Record<string, unknown>, messageKey: string) => {
    const { method, path, status, ms, environment, code, reason } = line as RequestLine
    if (method === undefined || status === undefined) return String(line[messageKey])
    const parts = [method, path, status, `${ms ?? '?'} ms`, environment && `environment ${environment}`]
    const failure = code ? `${code}: ${reason ?? line[messageKey]}` : undefined
    return [...parts, failure].filter((part) => part !== undefined && part !== '').join(' ')
  },
}
