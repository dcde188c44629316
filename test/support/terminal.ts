import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import { isInstalled } from './installed.ts'

/** A terminal for tests, by `script` of util-linux: what a program writes when a person watches. */
export const hasTerminals = process.platform === 'linux' && isInstalled('script')

export interface Terminal {
  child: ChildProcess
  /** Every byte so far. */
  raw(): string
  /** Without colours, and with each line as it was at last. */
  lines(): string[]
  /** It has ended, and everything that it wrote is here. */
  ended: Promise<unknown>
}

export function inTerminal(command: string, environment: NodeJS.ProcessEnv, cwd: string): Terminal {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, TERM: 'xterm-256color', ...environment }
  // A shell in between would answer Ctrl-C with its own exit code.
  const child = spawn('script', ['-qefc', `exec ${command}`, '/dev/null'], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
  }
  const lines = () =>
    stripVTControlCharacters(text)
      .split('\r\n')
      .map((line) => line.split('\r').at(-1) as string)
  return { child, raw: () => text, lines, ended: once(child, 'close') }
}
