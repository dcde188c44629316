import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { eventually } from './support/deliveries.ts'
import { type ServerProcess, spawnServer } from './support/process.ts'

let test: TestDatabase
let server: ServerProcess

beforeAll(async () => {
  test = await createTestDatabase()
  server = await spawnServer({ DATABASE_URL: test.url, USHER_WORKERS: '2', USHER_LOG_LEVEL: 'silent' })
})
afterAll(async () => {
  await server.end()
  await test.close()
})

/** Each on its own connection, which the system gives to either worker. */
async function ask(path: string): Promise<string> {
  const response = await fetch(server.url + path, {
    headers: { authorization: `Bearer ${server.key}`, connection: 'close' },
  })
  expect(response.status).toBe(200)
  return await response.text()
}

function figure(text: string, name: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1))
}

function workerPids(): number[] {
  const { pid } = server.child
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
}

const LISTED = 'usher_http_requests_total{operation="listUsers",status="200",code=""}'

it('every worker answers for all of them', async () => {
  for (let request = 0; request < 30; request += 1) await ask('/users')
  // One after the other: all at once may take longer than a worker is waited for.
  for (let scrape = 0; scrape < 10; scrape += 1) {
    const text = await ask('/metrics')
    expect(figure(text, LISTED)).toBe(30)
    expect(figure(text, 'usher_http_request_seconds_count{operation="listUsers"}')).toBe(30)
    expect(figure(text, 'usher_processes')).toBe(2)
    expect(figure(text, 'usher_webhook_deliveries_waiting')).toBe(0)
    expect(text.match(/^usher_build_info\{/gm)).toHaveLength(1)
    expect(figure(text, 'process_cpu_seconds_total')).toBeGreaterThan(0)
  }
})

it('answers without a worker that hangs, and for its replacement when it was killed', async () => {
  const [first = 0, second = 0] = workerPids()
  process.kill(first, 'SIGSTOP')
  try {
    // The system gives about half of them to the worker that hangs.
    const signal = AbortSignal.timeout(15_000)
    const asked = Array.from({ length: 16 }, async () => {
      const response = await fetch(`${server.url}/metrics`, { headers: { connection: 'close' }, signal })
      return figure(await response.text(), 'usher_processes')
    })
    expect(await Promise.any(asked)).toBe(1)
  } finally {
    process.kill(first, 'SIGKILL')
  }
  await eventually('another took its place', () => workerPids().length === 2 && !workerPids().includes(first))
  expect(workerPids()).toContain(second)
  await eventually('the answers are of two again', async () => figure(await ask('/metrics'), 'usher_processes') === 2)
})
