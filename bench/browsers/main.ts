import { parseArgs } from 'node:util'
import { cpuMicros, peakMegabytes } from '../proc.ts'
import { environmentKey, KEY, userId } from '../traffic.ts'
import { atARate } from './at-a-rate.ts'
import { Browser } from './browser.ts'
import { type CallName, Calls, callNames } from './calls.ts'
import { type BrowserSite, openSite } from './site.ts'

/**
 * `npm run bench:browsers`: many browsers, which are clients of the protocol of pages, on one node beside events of the back
 * end. First as fast as the machine can, for the capacity, then at half of it; and the latency of quiet environments alone and
 * beside them. All of it is on this machine, and bounded in count and time.
 */

const { values } = parseArgs({
  options: {
    browsers: { type: 'string', default: '10000' },
    events: { type: 'string', default: '1000' },
    quiet: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
  },
})
const [browserCount, eventRate, quietCount, seconds] = [
  whole('browsers', values.browsers, 20_000),
  whole('events', values.events, 5_000),
  whole('quiet', values.quiet, 500),
  whole('seconds', values.seconds, 300),
] as const
/** Requests of all quiet environments together, a second. */
const QUIET_RATE = 50
/** Calls of pages under way while the capacity is measured. */
const AT_ONCE = 64
const RUN_IN_SECONDS = 3

const write = (text: string) => void process.stdout.write(`${text}\n`)

function whole(name: string, text: string, most: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > most) throw new Error(`--${name} ${text} is not a whole number up to ${most}`)
  return value
}

const site = await openSite(browserCount, quietCount)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void site.close().finally(() => process.exit(130)))
try {
  await measure(site)
} finally {
  await site.close()
}

async function measure({ server, postgres, token, analyze }: BrowserSite): Promise<void> {
  const calls = new Calls(server.address, token)
  const browsers = Array.from({ length: browserCount }, (_, number) => new Browser(calls, number))
  let last = 0
  const next = () => {
    for (let tries = 0; tries < browserCount; tries += 1) {
      const browser = browsers[last++ % browserCount] as Browser
      if (!browser.isBusy) return browser
    }
    return undefined
  }
  const pages = (rate: number) => atARate(rate, seconds, (dueAt) => next()?.act(dueAt))
  const events = (rate: number) => atARate(rate, seconds, (dueAt) => track(calls, dueAt))
  const quiet = () => atARate(quietCount === 0 ? 0 : QUIET_RATE, seconds, (dueAt) => askQuietly(calls, dueAt))
  const tell = (title: string) => {
    write(`\n${title}`)
    for (const name of callNames) if (calls.latencies.get(name)?.count) write(line(calls, name))
    if (calls.failures.size > 0) write(`  failures by status: ${[...calls.failures].join('; ')}`)
    calls.reset()
  }

  write(`${browserCount} browsers, ${eventRate} events a second, ${quietCount} quiet environments`)
  await everyBrowserOnce(browsers)
  tell('every browser identifies, as fast as the machine can')
  await asFastAsPossible(next, RUN_IN_SECONDS)
  await analyze()
  calls.reset()
  await quiet()
  const alone = percentiles(calls, 'quiet')
  tell(`quiet environments alone, ${QUIET_RATE} decisions a second`)

  const before = { cpu: cpuMicros(server.pid), database: cpuMicros(postgres.pid), at: performance.now() }
  const [count] = await Promise.all([asFastAsPossible(next, seconds), events(eventRate)])
  const capacity = count / seconds
  const perCall = (micros: number) => Math.round(micros / (count + eventRate * seconds))
  tell(`${Math.round(capacity)} calls of pages a second beside ${eventRate} events: the capacity`)
  write(
    `  CPU µs of a call or an event: server ${perCall(cpuMicros(server.pid) - before.cpu)}, PostgreSQL ${perCall(cpuMicros(postgres.pid) - before.database)}`,
  )

  await Promise.all([pages(capacity / 2), events(eventRate / 2), quiet()])
  const beside = percentiles(calls, 'quiet')
  const decide = calls.latencies.get('decide')?.percentile(0.99) ?? 0
  tell('half of the capacity, with the quiet environments beside it')
  write(`\np99 of decide at half of the capacity: ${decide.toFixed(1)} ms (at most 50)`)
  if (quietCount > 0)
    write(
      `quiet environments: ${(beside.p50 / alone.p50).toFixed(2)} of the median alone (at most 1.5), p99 ${(beside.p99 / alone.p99).toFixed(2)}`,
    )
  write(`most memory of the server: ${Math.round(peakMegabytes(server.pid))} MB (at most 450)`)
  await calls.close()
}

async function everyBrowserOnce(browsers: readonly Browser[]): Promise<void> {
  const left = browsers.values()
  const identify = async () => {
    for (const browser of left) await browser.act(performance.now())
  }
  await Promise.all(Array.from({ length: AT_ONCE }, identify))
}

/** Returns how many calls of pages were answered. */
async function asFastAsPossible(next: () => Browser | undefined, forSeconds: number): Promise<number> {
  const end = performance.now() + forSeconds * 1_000
  let count = 0
  const work = async () => {
    while (performance.now() < end) {
      await next()?.act(performance.now())
      count += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return count
}

async function track(calls: Calls, dueAt: number): Promise<void> {
  const user_id = userId(Math.floor(Math.random() * browserCount))
  await calls.api('event', '/events', { name: 'project_created', user_id, attributes: { seats: 5 } }, KEY, dueAt)
}

/** A decision of the API in one of the quiet environments. */
async function askQuietly(calls: Calls, dueAt: number): Promise<void> {
  const key = environmentKey(Math.floor(Math.random() * quietCount))
  await calls.api('quiet', '/decisions', { user_id: userId(Math.floor(Math.random() * 30)) }, key, dueAt)
}

function percentiles(calls: Calls, name: CallName) {
  const latencies = calls.latencies.get(name)
  return { p50: latencies?.percentile(0.5) ?? 0, p99: latencies?.percentile(0.99) ?? 0 }
}

function line(calls: Calls, name: CallName): string {
  const { p50, p99 } = percentiles(calls, name)
  const count = calls.latencies.get(name)?.count ?? 0
  return `  ${name.padEnd(9)} ${String(count).padStart(8)}  p50 ${p50.toFixed(1).padStart(7)} ms  p99 ${p99.toFixed(1).padStart(7)} ms`
}
