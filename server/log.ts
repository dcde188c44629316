import { writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { errorForLog } from './log-error.ts'

/** The logger interface of the server; a subset of pino's. */
export interface Log {
  debug(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** Whether the log goes to a terminal: then it has readable lines, one per request. */
export const ON_TERMINAL = process.stdout.isTTY === true

/** Lines of JSON for a log collector, lines for people on a terminal. */
export async function createLog(level: string): Promise<Logger> {
  const options = logOptions(level)
  if (!ON_TERMINAL) return pino(options, standardOutput())
  const { default: pretty } = await import('pino-pretty')
  return pino(options, pretty({ ...terminalLines, destination: closableTerminal() }))
}

/** `authorization` and secrets are redacted here as a second safeguard; no call should pass them. */
export function logOptions(level: string): LoggerOptions {
  return {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: errorForLog },
    redact: ['req.headers.authorization', 'headers.authorization', 'secret', 'key', 'password'],
  }
}

const STDOUT = 1
/**
 * Lines that wait while the pipe is not read, or while the disk of the log file is full. Beyond that they are dropped.
 */
const MAX_WAITING_BYTES = 4 * 1024 * 1024

/**
 * A log that cannot be written does not stop the server. Logging continues after a full disk, but not after a closed
 * pipe.
 */
function standardOutput(): DestinationStream {
  // With a minimum, `flush` tries again what waits after a failed write.
  const destination = pino.destination({ dest: STDOUT, sync: false, minLength: 1, maxLength: MAX_WAITING_BYTES })
  const { flushSync } = destination
  destination.on('error', () => {
    // It tries until it succeeds, also when the process ends.
    destination.flushSync = () => {}
  })
  destination.on('drain', () => {
    destination.flushSync = flushSync
  })
  destination.on('drop', () => destination.flush())
  return destination
}

/** A background process outlives its terminal. Then every write fails, and pino-pretty would stop. */
function closableTerminal(): Writable {
  return new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      try {
        writeSync(STDOUT, line)
      } catch {}
      done()
    },
  })
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

type Paint = (text: string) => string
type Colours = Record<'green' | 'yellow' | 'red' | 'gray', Paint>

const REQUEST_FIELDS = 'reqId,operation,method,path,status,ms,environment,code,reason'

/** One line per request. Other entries have their fields on the same line. */
const terminalLines = {
  translateTime: 'SYS:HH:MM:ss',
  ignore: `pid,hostname,${REQUEST_FIELDS}`,
  singleLine: true,
  customColors: 'fatal:bgRed,error:red,warn:yellow,info:green,debug:blue,trace:gray,message:reset',
  messageFormat: (line: Record<string, unknown>, messageKey: string, _level: string, { colors }: { colors: Colours }) =>
    requestLine(line, colors) ?? printable(String(line[messageKey])),
}

function requestLine(line: RequestLine & { msg?: unknown }, colours: Colours): string | undefined {
  const { method, path, status, ms, environment, code, reason } = line
  if (method === undefined || status === undefined) return undefined
  const parts = [method, printable(path ?? ''), colourOf(status, colours)(String(status)), `${ms ?? '?'} ms`]
  if (environment !== undefined) parts.push(colours.gray(`environment ${environment}`))
  if (code) parts.push(printable(`${code}: ${reason ?? line.msg}`))
  return parts.join(' ')
}

function colourOf(status: number, { green, yellow, red }: Colours): Paint {
  return status >= 500 ? red : status >= 400 ? yellow : green
}

/** Removes control characters: error messages contain field names of the request, which must not control the terminal. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
