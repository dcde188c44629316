import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProgramBeside } from './bundled-server.ts'
import { askFor } from './on-demand.ts'
import { checkAnswer } from './response-schemas.ts'

/** The command as it is in the sources. */
const SOURCE_MAIN = fileURLToPath(new URL('../../bin/usher.js', import.meta.url))

/** The command, for a process of its own: in tests the bundle (bundled-server.ts), in `npm run drill` the sources. */
export async function usherMain(): Promise<string> {
  const { TEST_SERVER } = process.env
  return TEST_SERVER ? await askFor(TEST_SERVER) : SOURCE_MAIN
}

/** Forks a program of tests from the bundle: from the sources its start takes 2 s of CPU time. */
export async function forkBeside(name: ProgramBeside, execArgv: string[] = []): Promise<ChildProcess> {
  const folder = dirname(dirname(await usherMain()))
  // The one of `usher start`: most of the code is the same.
  const cache = join(folder, 'node_modules/.cache/usher')
  return fork(join(folder, `test/${name}.js`), { execArgv, env: { ...process.env, NODE_COMPILE_CACHE: cache } })
}

/** A real server in its own process, which a test can kill. */
export interface ServerProcess {
  url: string
  key: string
  child: ChildProcess
  /** What it has printed so far, both streams. */
  output(): string
  /** Sends the signal, and waits for the end; returns the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

export const TEST_KEY = `ak_${'t'.repeat(26)}`

/** The heap of a start fits into this young generation: a start without collections takes 40 ms less CPU time. */
export const NODE_FLAGS = ['--max-semi-space-size=16', '--min-semi-space-size=16']

/** Starts `usher start` on a free port, and waits until it is ready. */
export async function spawnServer(environment: Record<string, string>, main?: string): Promise<ServerProcess> {
  // No file can be written there, so nothing is left in the data folder of this checkout.
  const folder = environment.DATABASE_URL === undefined ? {} : { USHER_DATA_DIR: '/dev/null/none' }
  const child = spawn(process.execPath, [...NODE_FLAGS, main ?? (await usherMain()), 'start'], {
    env: { PATH: process.env.PATH, PORT: '0', USHER_API_KEY: TEST_KEY, ...folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  const silent = once(child, 'close')
  let text = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      text += chunk.toString()
      const ready = /Usher is ready at (\S+)/.exec(text)
      if (ready) resolve(ready[1] as string)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)))
  })
  return {
    url,
    key: environment.USHER_API_KEY ?? TEST_KEY,
    child,
    output: () => text,
    end: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      // What it wrote last may come after its end. What it has started and left behind can keep the pipe open.
      await (signal === 'SIGKILL' ? ended : silent)
      return child.exitCode
    },
  }
}

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of a response is checked by the test itself
  body: any
  /** Where the server says so. */
  retryAfter?: string
}

/** A plain call, for tests where the connection may break. Answers are validated against their declared schema. */
export async function call(
  server: { url: string; key: string },
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Answer> {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      authorization: `Bearer ${server.key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  const retryAfter = response.headers.get('retry-after')
  const answer = { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
  return { status: answer.status, body: checkAnswer(method, path, answer), ...(retryAfter !== null && { retryAfter }) }
}
