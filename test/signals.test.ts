import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { isRunning } from '../server/is-running.ts'
import { usher } from './support/command.ts'
import { temporaryFolder } from './support/folder.ts'
import { startNode } from './support/node.ts'
import { call, spawnServer, usherMain } from './support/process.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const KEY = 'ak_tttttttttttttttttttttttttt'

let base: string
let main: string
let dataDir: string
let children: ChildProcess[]

beforeEach(async () => {
  base = await temporaryFolder()
  main = await usherMain()
  dataDir = join(base, 'data')
  children = []
})
afterEach(async () => {
  for (const { pid } of children) {
    try {
      process.kill(-(pid as number), 'SIGKILL')
    } catch {
      // It has ended before, as expected.
    }
  }
  await expect.poll(postgresRuns).toBe(false)
  await rm(base, { recursive: true, force: true })
})

/** In its own process group, as a terminal would start it. */
function run(file: string, words: string[], settings: Record<string, string> = {}) {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, USHER_DATA_DIR: dataDir, USHER_API_KEY: KEY, PORT: '0', ...settings }
  const child = spawn(file, words, { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  return { child, ended: once(child, 'exit'), output: () => output }
}

async function postgresRuns(): Promise<boolean> {
  const file = join(dataDir, 'postgres/cluster/postmaster.pid')
  const [pid] = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  return pid !== undefined && pid !== '' && isRunning(Number(pid))
}

async function isListening(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const listening = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return listening
}

const addressIn = (output: string) => /Usher is ready at (http:\/\/[\w.:]+)/.exec(output)?.[1]

/** Each start takes two seconds of CPU time: `npm test` tries some of the signals and moments, the long tests all. */
const orLong = <T>(some: readonly T[], more: readonly T[]): T[] => [...some, ...(inject('isLong') ? more : [])]

type Started = [signal: NodeJS.Signals, command: string, words: string[]]
const started = orLong<Started>(
  [
    ['SIGHUP', 'npm', ['start']],
    ['SIGTERM', 'npx', ['usher', 'start']],
  ],
  [['SIGTERM', 'npm', ['start']]],
)
it.each(started)('%s to the process of %s %j ends the server and its database', async (signal, command, words) => {
  const { child, ended, output } = run(command, words)
  await expect.poll(() => addressIn(output())).toBeDefined()
  const url = addressIn(output()) as string
  child.kill(signal)
  await ended
  await expect.poll(() => isListening(url)).toBe(false)
  await expect.poll(postgresRuns).toBe(false)
})

it('Ctrl-C under npm start, which forwards the signal that the server gets from the terminal too, stops the server and its database', async () => {
  const { child, ended, output } = run('npm', ['start'])
  await expect.poll(() => addressIn(output())).toBeDefined()
  process.kill(-(child.pid as number), 'SIGINT')
  await ended
  await expect.poll(postgresRuns).toBe(false)
  expect(output()).toMatch(/stopping …/)
})

it.each(orLong<NodeJS.Signals>(['SIGINT'], ['SIGTERM']))(
  '%s right after the start says that it stops, and exits 0 without an error',
  async (signal) => {
    const server = await spawnServer({ USHER_DATA_DIR: dataDir })
    expect(await server.end(signal)).toBe(0)
    expect(server.output()).toMatch(/stopping …/)
    expect(server.output()).not.toMatch(/"level":"(warn|error)"/)
    expect(await postgresRuns()).toBe(false)
  },
)

it.each(['1', '2'])(
  'SIGHUP without TLS, as `systemctl reload` sends it, leaves the server running (USHER_WORKERS=%s)',
  async (workers) => {
    const server = await spawnServer({ USHER_DATA_DIR: dataDir, USHER_WORKERS: workers })
    server.child.kill('SIGHUP')
    await expect.poll(() => server.output()).toContain('there is no certificate to reload')
    expect(await call(server, 'POST', '/users', { id: 'ada' })).toMatchObject({ status: 200 })
    expect(await server.end()).toBe(0)
  },
)

const SCRIPT = ['/usr/bin/script'].find((path) => {
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})

it.runIf(SCRIPT)('closing the terminal stops the server and its database', async () => {
  const { child, output } = run(SCRIPT as string, ['-qefc', `${process.execPath} ${main} start`, '/dev/null'])
  await expect.poll(() => addressIn(output())).toBeDefined()
  const url = addressIn(output()) as string
  // The other end of the terminal was closed with it.
  child.kill('SIGKILL')
  await expect.poll(() => isListening(url)).toBe(false)
  await expect.poll(postgresRuns).toBe(false)
})

it.each(orLong([800], [100, 2_000]))(
  'Ctrl-C %i ms after the start leaves no process and no unfinished file',
  async (ms) => {
    const { child, ended } = run(process.execPath, [main, 'start'])
    await sleep(ms)
    process.kill(-(child.pid as number), 'SIGINT')
    const [code, signal] = await ended
    // Before its first line runs, nothing of ours can listen.
    expect([0, 'SIGINT', 130]).toContain(code ?? signal)
    expect(await postgresRuns()).toBe(false)
    const files = await readdir(join(dataDir, 'postgres')).catch(() => [])
    expect(files.filter((name) => name.startsWith('cluster.'))).toEqual([])
    const server = await startNode({ USHER_DATA_DIR: dataDir })
    expect(await call(server, 'POST', '/users', { id: 'ada' })).toMatchObject({ status: 200 })
    await server.end()
  },
)

it('Ctrl-C during a backup without a server leaves neither PostgreSQL nor an unfinished file', async () => {
  const server = await startNode({ USHER_DATA_DIR: dataDir })
  await call(server, 'POST', '/users', { id: 'ada' })
  await server.end()
  const file = join(base, 'backup')
  for (const ms of orLong([800], [400, 1_200])) {
    const { child, ended } = run(process.execPath, [main, 'backup', file])
    await sleep(ms)
    // On a fast machine the last of them comes when the backup is complete.
    if (child.exitCode === null) process.kill(-(child.pid as number), 'SIGINT')
    await ended
    await expect.poll(postgresRuns).toBe(false)
    expect((await readdir(base)).filter((name) => name.includes('unfinished'))).toEqual([])
    await rm(file, { force: true })
  }
})

it('a command makes no database where there is none, and says where it looked', async () => {
  for (const words of [
    ['keys', 'list'],
    ['accounts', 'create', 'Acme'],
    ['backup', join(base, 'file')],
  ]) {
    const { code, stdout, stderr } = await usher(words, { USHER_DATA_DIR: dataDir })
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(dataDir) })
  }
  await expect(stat(dataDir)).rejects.toThrow(/ENOENT/)
})
