import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { Exchange } from './exchange.ts'
import { type ObserverOptions, observer } from './observation.ts'

const counts = { operation: () => () => {} }

/** The methods and statuses of the answers that are logged. */
function logged(options: ObserverOptions, level = 'info'): string[] {
  const lines: string[] = []
  const log = pino({ level }, { write: (line: string) => lines.push(line) })
  const observe = observer(counts, 'getHome', log, options)
  for (const [method, statusCode] of [
    ['GET', 200],
    ['POST', 200],
    ['GET', 404],
  ] as const)
    observe({ method, url: '/app/api/home', elapsedMs: 1, response: { statusCode } } as Exchange)
  return lines.map((line) => JSON.parse(line)).map(({ method, status }) => `${method} ${status}`)
}

it('a terminal shows every answer, and of a page that repeats its reads only what changes something and what was refused', () => {
  expect(logged({ onTerminal: true })).toEqual(['GET 200', 'POST 200', 'GET 404'])
  expect(logged({ onTerminal: true, readsAreRepeated: true })).toEqual(['POST 200', 'GET 404'])
  expect(logged({ onTerminal: true, readsAreRepeated: true }, 'debug')).toEqual(['GET 200', 'POST 200', 'GET 404'])
})

it('a log that is collected has refusals only', () => {
  expect(logged({ onTerminal: false })).toEqual(['GET 404'])
})
