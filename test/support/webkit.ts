import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { findProgram, install } from './chromium.ts'
import { clickOn, type Engine, type EngineTab, pressOf } from './engine.ts'
import { temporaryFolder } from './folder.ts'
import { freePort } from './free-port.ts'

/** The WebKit of GTK, which is the engine of Safari, by WebDriver, on a screen that nobody sees. */
class WebKit implements Engine {
  readonly #address: string
  readonly #children: ChildProcess[]
  readonly #folder: string
  readonly #windows: string[] = []
  #current: string | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(address: string, children: ChildProcess[], folder: string) {
    this.#address = address
    this.#children = children
    this.#folder = folder
  }

  /** A command is about the window that was chosen last, so each waits for the one before it. */
  async send(handle: string | undefined, method: string, path: string, body?: object): Promise<unknown> {
    const answered = this.#last.then(async () => {
      if (handle !== undefined && handle !== this.#current) {
        await call(this.#address, 'POST', '/window', { handle })
        this.#current = handle
      }
      return await call(this.#address, method, path, body)
    })
    this.#last = answered.catch(() => {})
    return await answered
  }

  /** A window: the driver cannot bring a tab to the front. */
  async newTab(): Promise<EngineTab> {
    const { handle } = (await this.send(undefined, 'POST', '/window/new', { type: 'window' })) as { handle: string }
    this.#windows.push(handle)
    return new WebKitTab(this, handle)
  }

  /** A page in a window that is minimized is hidden, as one in a tab behind others is. */
  async showAlone(handle: string): Promise<void> {
    for (const other of this.#windows) if (other !== handle) await this.send(other, 'POST', '/window/minimize', {})
    await this.send(handle, 'POST', '/window/rect', { x: 0, y: 0 })
  }

  async close(): Promise<void> {
    await call(this.#address, 'DELETE', '').catch(() => {})
    for (const child of this.#children) {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

class WebKitTab implements EngineTab {
  readonly #webkit: WebKit
  readonly #handle: string

  constructor(webkit: WebKit, handle: string) {
    this.#webkit = webkit
    this.#handle = handle
  }

  async goto(url: string): Promise<void> {
    await this.#post('/url', { url })
  }

  async activate(): Promise<void> {
    await this.#webkit.showAlone(this.#handle)
  }

  async back(): Promise<void> {
    await this.#post('/back', {})
  }

  async evaluate(expression: string): Promise<unknown> {
    const script = `return JSON.stringify(${expression}) ?? 'null'`
    return JSON.parse((await this.#post('/execute/sync', { script, args: [] })) as string)
  }

  async click(element: string): Promise<void> {
    await this.#perform('pointer', await clickOn(this, element))
  }

  async press(value: string): Promise<void> {
    await this.#perform('key', pressOf(value))
  }

  async #perform(type: string, actions: object[]): Promise<void> {
    await this.#post('/actions', { actions: [{ type, id: type, actions }] })
  }

  async #post(path: string, body: object): Promise<unknown> {
    return await this.#webkit.send(this.#handle, 'POST', path, body)
  }
}

async function call(address: string, method: string, path: string, body?: object): Promise<unknown> {
  const init = { method, ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }) }
  const response = await fetch(address + path, init)
  const { value } = (await response.json()) as { value: { error?: string; message?: string } | null }
  if (!response.ok) throw new Error(`${method} ${path}: ${value?.error} ${value?.message}`)
  return value
}

/** Debian's packages are installed when they are missing and this may do so. */
export async function launchWebKit(): Promise<Engine> {
  const programOf = (name: string, ofPackage: string) => {
    const find = () => findProgram([name])
    return find() ?? install(ofPackage, find)
  }
  const [screenProgram, program] = [programOf('Xvfb', 'xvfb'), programOf('WebKitWebDriver', 'webkit2gtk-driver')]
  const folder = await temporaryFolder()
  const screenWords = ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp']
  const screen = spawn(screenProgram, screenWords, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const [number] = (await once(screen.stdio[3] as Readable, 'data')) as [Buffer]
  const port = await freePort()
  const env = {
    ...process.env,
    DISPLAY: `:${number.toString().trim()}`,
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    LANG: 'en_GB.UTF-8',
    LC_ALL: 'en_GB.UTF-8',
  }
  const driver = spawn(program, [`--port=${port}`], { env, stdio: 'ignore' })
  const sessionId = await openSession(`http://127.0.0.1:${port}/session`, driver)
  return new WebKit(`http://127.0.0.1:${port}/session/${sessionId}`, [driver, screen], folder)
}

/** Asks until the driver listens. */
async function openSession(address: string, driver: ChildProcess): Promise<string> {
  while (driver.exitCode === null) {
    try {
      const value = await call(address, 'POST', '', { capabilities: { alwaysMatch: {} } })
      return (value as { sessionId: string }).sessionId
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`WebKitWebDriver ended with ${driver.exitCode}`)
}
