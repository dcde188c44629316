import { AsyncLocalStorage } from 'node:async_hooks'
import { execFile } from 'node:child_process'
import { report } from '../../server/command/main.ts'
import { runCommand } from '../../server/command/run.ts'
import { NODE_FLAGS, usherMain } from './process.ts'

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

type Printed = Record<'stdout' | 'stderr', Buffer[]>

/** What the command prints whose asynchronous context this is. */
const printed = new AsyncLocalStorage<Printed>()
for (const name of ['stdout', 'stderr'] as const) {
  const stream = process[name]
  const write = stream.write.bind(stream) as (...all: unknown[]) => boolean
  stream.write = (chunk: string | Buffer, ...more: unknown[]) => {
    const chunks = printed.getStore()?.[name]
    if (!chunks) return write(chunk, ...more)
    chunks.push(Buffer.from(chunk as string))
    const done = more.at(-1)
    if (typeof done === 'function') process.nextTick(done)
    return true
  }
}

/** Runs the `usher` command with these settings and no others, in this process: one of its own takes 0.4 s of CPU time. */
export async function usher(words: readonly string[], settings: Record<string, string>): Promise<Outcome> {
  const { stdout, stderr }: Printed = { stdout: [], stderr: [] }
  const run = () => runCommand(words, settings).catch((error) => report(error, words.includes('--json')))
  const code = await printed.run({ stdout, stderr }, run)
  return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }
}

/** The same in a process of its own: for `start`, and where the process itself is what is tested. */
export async function usherProcess(words: readonly string[], settings: Record<string, string>): Promise<Outcome> {
  const main = await usherMain()
  return await new Promise((resolve) => {
    const env = { PATH: process.env.PATH, ...settings }
    execFile(process.execPath, [...NODE_FLAGS, main, ...words], { env, timeout: 120_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr })
    })
  })
}

/** For commands that must succeed: what `--json` prints. */
export async function usherJson<T>(words: readonly string[], settings: Record<string, string>): Promise<T> {
  const { code, stdout, stderr } = await usher([...words, '--json'], settings)
  if (code !== 0) throw new Error(`usher ${words.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as T
}
