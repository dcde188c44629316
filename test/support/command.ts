import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../bin/usher.js', import.meta.url))

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** Runs the `usher` command in its own process, with these settings and no others. */
export function usher(words: readonly string[], settings: Record<string, string>): Promise<Outcome> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, ...settings }
    execFile(process.execPath, [MAIN, ...words], { env, timeout: 30_000 }, (error, stdout, stderr) => {
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
