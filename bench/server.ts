import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { KEY } from './traffic.ts'

const MAIN = fileURLToPath(new URL('../bin/usher.js', import.meta.url))
/** The flags of `npm start`. */
const START_FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=100', '--no-allocation-site-pretenuring']
const START_TIMEOUT_MS = 30_000

export interface ServerSettings {
  /** Where to find the database: `DATABASE_URL` or `USHER_DATA_DIR`, and what else is to differ from the defaults. */
  environment: Readonly<Record<string, string>>
  /** A folder for the CPU profile that Node writes at the end. */
  profile?: string | undefined
}

/** An Usher server in its own process, started the way `npm start` does. */
export class UsherServer {
  readonly #process: ChildProcess
  readonly port: number
  #output = ''

  private constructor(port: number, { environment, profile }: ServerSettings) {
    this.port = port
    const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
    this.#process = spawn(process.execPath, [...START_FLAGS, ...flags, MAIN, 'start'], {
      env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output = (this.#output + chunk).slice(-4_000)
      })
    }
  }

  /** Resolves with the first answer of 200. */
  static async start(settings: ServerSettings): Promise<UsherServer> {
    const server = new UsherServer(await freePort(), settings)
    await server.#ready()
    return server
  }

  get pid(): number {
    return this.#process.pid as number
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async call(method: string, path: string, body?: unknown): Promise<Response> {
    return await fetch(this.address + path, {
      method,
      headers: { authorization: `Bearer ${KEY}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const exit = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await exit
  }

  async #ready(): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_MS
    for (;;) {
      const response = await this.call('GET', '/users?limit=1').catch(() => undefined)
      await response?.arrayBuffer()
      if (response?.status === 200) return
      if (this.#process.exitCode !== null || performance.now() > deadline) {
        throw new Error(`the server did not start:\n${this.#output}`)
      }
      await sleep(10)
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
