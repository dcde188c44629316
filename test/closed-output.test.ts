import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { freePort } from './support/free-port.ts'
import { startNode } from './support/node.ts'
import { call, TEST_KEY, usherMain } from './support/process.ts'

type Output = (words: readonly string[], env: NodeJS.ProcessEnv) => ChildProcess

let database: TestDatabase
let main: string

beforeAll(async () => {
  database = await createTestDatabase()
  main = await usherMain()
  // There is an environment, with users to export.
  const node = await startNode({ DATABASE_URL: database.url })
  // More than a pipe holds.
  const attributes = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, 'x'.repeat(8_000)]))
  for (let index = 0; index < 20; index++) await call(node, 'POST', '/users', { id: `u_${index}`, attributes })
  await node.end()
})
afterAll(async () => await database.close())

/** Standard output is a pipe whose other end is closed before anything is written. */
const toNobody: Output = (words, env) => {
  const child = spawn(process.execPath, [main, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  return child
}

const toFullDisk: Output = (words, env) => {
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [main, ...words], { env, stdio: ['ignore', full, 'pipe'] })
  closeSync(full)
  return child
}

function begin(output: Output, words: readonly string[], settings: Record<string, string> = {}) {
  const child = output(words, { PATH: process.env.PATH, DATABASE_URL: database.url, ...settings })
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  return { child, ended: once(child, 'close').then(([code]) => ({ code, stderr })) }
}

async function run(output: Output, words: string) {
  return await begin(output, words.split(' ')).ended
}

/** Each request is a line of the log. */
async function server(output: Output, settings: Record<string, string>) {
  const port = await freePort()
  const to = { url: `http://127.0.0.1:${port}`, key: TEST_KEY }
  const { child, ended } = begin(output, ['start'], { PORT: String(port), USHER_API_KEY: TEST_KEY, ...settings })
  try {
    const isReady = () =>
      fetch(`${to.url}/readyz`)
        .then((answer) => answer.ok)
        .catch(() => false)
    await expect.poll(isReady).toBe(true)
    for (let index = 0; index < 20; index++) {
      expect((await call(to, 'POST', '/users', { id: `u_${index}` })).status).toBe(200)
    }
  } finally {
    child.kill()
  }
  return await ended
}

describe('without a reader of its output', () => {
  it('a server keeps running, and stops cleanly on SIGTERM', async () => {
    expect(await server(toNobody, {})).toEqual({ code: 0, stderr: '' })
  })
  it('so do workers, also without a reader of their errors', async () => {
    const output: Output = (...all) => {
      const child = toNobody(...all)
      child.stderr?.destroy()
      return child
    }
    expect(await server(output, { USHER_WORKERS: '2' })).toEqual({ code: 0, stderr: '' })
  })
  it.each([
    ['help', 141],
    ['keys list', 141],
    ['keys list --json', 141],
    ['export users --environment Production', 141],
    ['nonsense --json', 2],
  ])('usher %s ends without a word', async (words, code) => {
    expect(await run(toNobody, words)).toEqual({ code, stderr: '' })
  })
  it('usher listen ends, and leaves no subscription', async () => {
    expect(await run(toNobody, 'listen --environment Production')).toEqual({ code: 141, stderr: '' })
    const listeners = 'select from webhook_subscriptions where listener_until is not null'
    expect(await database.database.query(listeners, [])).toEqual([])
  })
})

it('an export that is interrupted says that its output is not complete', async () => {
  const toPipe: Output = (words, env) => spawn(process.execPath, [main, ...words], { env })
  const { child, ended } = begin(toPipe, ['export', 'users', '--environment', 'Production'])
  await once(child.stdout as NodeJS.ReadableStream, 'readable')
  child.kill('SIGINT')
  const signalled = once(child, 'exit')
  expect(await signalled).toEqual([130, null])
  child.stdout?.resume()
  expect(await ended).toEqual({ code: 130, stderr: 'Interrupted: the output is not complete.\n' })
})

describe.runIf(existsSync('/dev/full'))('with its output on a full disk', () => {
  it('a server keeps running, and stops cleanly on SIGTERM', async () => {
    expect(await server(toFullDisk, {})).toEqual({ code: 0, stderr: '' })
  })
  it.each(['help', 'keys list', 'export users --environment Production'])('usher %s says so', async (words) => {
    const stderr = 'Standard output cannot be written (ENOSPC).\n'
    expect(await run(toFullDisk, words)).toEqual({ code: 1, stderr })
  })
})
