import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { newKey } from '../../server/accounts/keys.ts'
import { describeFinding, runFuzz } from './run.ts'

/** `npm run fuzz [-- --seed N] [--count N] [--only N]`: a real server on its own database, and hostile requests. */
const { values } = parseArgs({
  options: { seed: { type: 'string' }, count: { type: 'string', default: '100000' }, only: { type: 'string' } },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const key = newKey()

async function startServer(dataDir: string): Promise<{ server: ChildProcess; url: string }> {
  const server = spawn(process.execPath, [fileURLToPath(new URL('../../bin/usher.js', import.meta.url)), 'start'], {
    env: { PATH: process.env.PATH, PORT: '0', USHER_DATA_DIR: dataDir, USHER_API_KEY: key, USHER_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: server.stdout as NonNullable<typeof server.stdout> })) {
    const url = /(http:\/\/\S+)/.exec(line)?.[1]
    if (url) return { server, url }
    process.stdout.write(`${line}\n`)
  }
  throw new Error('the server did not start')
}

const folder = await mkdtemp(join(tmpdir(), 'usher-fuzz-'))
const { server, url } = await startServer(folder)
server.stdout?.resume()
const from = values.only === undefined ? 0 : Number(values.only)
const count = values.only === undefined ? Number(values.count) : 1
const started = performance.now()
const { findings, statuses } = await runFuzz({
  url,
  port: Number(new URL(url).port),
  key,
  seed,
  from,
  count,
  concurrency: 32,
  onProgress: (done) => process.stdout.write(`${done} of ${count} requests\n`),
})
const alive = server.exitCode === null
server.kill('SIGTERM')
if (alive) await once(server, 'exit')
await rm(folder, { recursive: true, force: true })
for (const finding of findings) process.stdout.write(`${describeFinding(seed, finding)}\n`)
const tally = [...statuses].toSorted(([a], [b]) => a - b).map(([status, times]) => `${status || 'none'} × ${times}`)
process.stdout.write(`answers: ${tally.join(', ')}\n`)
const seconds = ((performance.now() - started) / 1000).toFixed(1)
process.stdout.write(
  `seed ${seed}: ${count} requests in ${seconds} s, ${findings.length} problems${alive ? '' : ', and the server died'}\n`,
)
process.exitCode = findings.length > 0 || !alive ? 1 : 0
