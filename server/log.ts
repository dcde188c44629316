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

/**
 * Lines of JSON for a log collector, lines for people on a terminal.
 * `authorization` and secrets are removed here as a second net; no call is meant to hand them in.
 */
export function createLog(level: string, terminal: boolean = process.stdout.isTTY) {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: errorForLog },
    redact: ['req.headers.authorization', 'headers.authorization', 'secret', 'key', 'password'],
  }
  return terminal ? pino(options, pretty({ translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' })) : pino(options)
}
