import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { findProgram, install } from './chromium.ts'
import { clickOn, type Engine, type EngineTab, pressOf } from './engine.ts'
import { temporaryFolder } from './folder.ts'

const NAMES = ['firefox-esr', 'firefox']

interface Reply {
  id?: number
  type: 'success' | 'error' | 'event'
  // biome-ignore lint/suspicious/noExplicitAny: each command of the protocol has an answer of its own form
  result: any
  message?: string
}

/** A Firefox of the system, spoken to by WebDriver BiDi. Debian's is installed when it is missing and this may do so. */
class Firefox implements Engine {
  readonly #child: ChildProcess
  readonly #folder: string
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  #last = 0

  constructor(child: ChildProcess, folder: string, socket: WebSocket) {
    this.#child = child
    this.#folder = folder
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      const reply = JSON.parse(String(data)) as Reply
      if (reply.id !== undefined) this.#waiting.get(reply.id)?.(reply)
    })
  }

  async send(method: string, params: object): Promise<Reply['result']> {
    this.#last += 1
    const id = this.#last
    const answered = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve))
    this.#socket.send(JSON.stringify({ id, method, params }))
    const { type, result, message } = await answered
    this.#waiting.delete(id)
    if (type === 'error') throw new Error(`${method}: ${message}`)
    return result
  }

  async newTab(): Promise<FirefoxTab> {
    const { context } = await this.send('browsingContext.create', { type: 'tab' })
    return new FirefoxTab(this, context)
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

class FirefoxTab implements EngineTab {
  readonly #firefox: Firefox
  readonly #context: string

  constructor(firefox: Firefox, context: string) {
    this.#firefox = firefox
    this.#context = context
  }

  async goto(url: string): Promise<void> {
    await this.#firefox.send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' })
  }

  async activate(): Promise<void> {
    await this.#firefox.send('browsingContext.activate', { context: this.#context })
  }

  async back(): Promise<void> {
    await this.#firefox.send('browsingContext.traverseHistory', { context: this.#context, delta: -1 })
  }

  async evaluate(expression: string): Promise<unknown> {
    const target = { context: this.#context }
    const words = { expression: `JSON.stringify(${expression}) ?? 'null'`, target, awaitPromise: true }
    const { type, result, exceptionDetails } = await this.#firefox.send('script.evaluate', words)
    if (type === 'exception') throw new Error(`${expression}: ${exceptionDetails.text}`)
    return JSON.parse(result.value)
  }

  async click(element: string): Promise<void> {
    await this.#perform('pointer', await clickOn(this, element))
  }

  async press(value: string): Promise<void> {
    await this.#perform('key', pressOf(value))
  }

  async #perform(type: string, actions: object[]): Promise<void> {
    await this.#firefox.send('input.performActions', { context: this.#context, actions: [{ type, id: type, actions }] })
  }
}

export async function launchFirefox(): Promise<Engine> {
  const find = () => findProgram(NAMES)
  const program = find() ?? install(NAMES[0] as string, find)
  const folder = await temporaryFolder()
  const words = ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port', '0']
  const child = spawn(program, words, { env: { ...process.env, HOME: folder }, stdio: ['ignore', 'ignore', 'pipe'] })
  const address = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const ready = /WebDriver BiDi listening on (\S+)/.exec(text)
      if (ready) resolve(ready[1] as string)
    })
    child.once('exit', (code) => reject(new Error(`Firefox ended with ${code}: ${text}`)))
  })
  const socket = new WebSocket(`${address}/session`)
  await once(socket, 'open')
  const firefox = new Firefox(child, folder, socket)
  await firefox.send('session.new', { capabilities: {} })
  return firefox
}
