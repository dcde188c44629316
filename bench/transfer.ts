import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { HAS_PROC, peakMegabytes } from './proc.ts'

const MAIN = fileURLToPath(new URL('../bin/usher.js', import.meta.url))
const LOOK_MS = 50

/** Runs `usher import events` in its own process; returns the most memory that it had. */
export async function importFile(database: string, file: string): Promise<{ peakMegabytes: number }> {
  return await transfer(database, ['import', 'events', file])
}

/** Runs `usher export events` into a file that is removed again. */
export async function exportFile(database: string, file: string): Promise<void> {
  await transfer(database, ['export', 'events', '--output', file])
  await rm(file)
}

async function transfer(database: string, parameters: readonly string[]): Promise<{ peakMegabytes: number }> {
  const child = spawn(process.execPath, [MAIN, ...parameters, '--environment', 'Production', '--json'], {
    env: { PATH: process.env.PATH, DATABASE_URL: database },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let peak = Number.NaN
  // /proc has no entry after the process has ended.
  const look = setInterval(() => {
    if (HAS_PROC && child.pid !== undefined && child.exitCode === null) peak = peakMegabytes(child.pid)
  }, LOOK_MS)
  const [output, problem, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  clearInterval(look)
  if (code !== 0) throw new Error(`usher ${parameters[0]} ended with ${code}: ${problem}${output}`)
  return { peakMegabytes: peak }
}
