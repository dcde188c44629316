import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HAS_PROC, residentMegabytes } from '../../bench/proc.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createKeys } from '../support/service.ts'

/** `USHER_TEST_LINES=10000000` makes it ten times as long. */
const LINES = Number(process.env.USHER_TEST_LINES ?? 1_000_000)
const LINES_PER_CHUNK = 1_000
const LOOK_MS = 100
/** What the garbage collector leaves for later varies. */
const MOST_RATIO = 1.25
const MAIN = fileURLToPath(new URL('../../bin/usher.js', import.meta.url))

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
  await createKeys(test.database, 'self_hosted', ['Production'])
})
afterAll(() => test.close())

let sent = 0
function* chunks(): Generator<string> {
  for (; sent < LINES; sent += LINES_PER_CHUNK) {
    const lines = Array.from({ length: LINES_PER_CHUNK }, (_, index) => lineOf(sent + index))
    yield lines.join('')
  }
}

function lineOf(number: number): string {
  const attributes = { plan: 'growth', seats: number % 1_000, billed: true }
  const time = new Date(1_735_689_600_000 + number).toISOString()
  return `${JSON.stringify({ name: 'imported', user_id: `u${number % 10_000}`, time, attributes })}\n`
}

it.runIf(HAS_PROC)(
  `an import of ${LINES} lines from standard input needs as much memory late as early`,
  async () => {
    const words = ['import', 'events', '-', '--environment', 'Production', '--json']
    const child = spawn(process.execPath, [MAIN, ...words], {
      env: { PATH: process.env.PATH, DATABASE_URL: test.url },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const started = performance.now()
    const output = child.stdout.toArray()
    const peaks = { early: 0, late: 0 }
    const look = setInterval(() => {
      const part = sent / LINES
      if (child.exitCode !== null || part < 0.05) return
      const phase = part < 0.3 ? 'early' : 'late'
      peaks[phase] = Math.max(peaks[phase], residentMegabytes(child.pid as number))
    }, LOOK_MS)
    const [, [code]] = await Promise.all([pipeline(Readable.from(chunks()), child.stdin), once(child, 'exit')])
    clearInterval(look)
    const seconds = (performance.now() - started) / 1_000
    console.log(`import of ${LINES} lines:`, { seconds, linesPerSecond: LINES / seconds, ...peaks })
    expect(code).toBe(0)
    expect(JSON.parse(Buffer.concat(await output).toString())).toMatchObject([{ stored: LINES, refused: 0 }])
    expect(peaks.late / peaks.early).toBeLessThan(MOST_RATIO)
  },
  3_600_000,
)
