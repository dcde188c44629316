import { copyFile, open, readFile, stat, truncate } from 'node:fs/promises'

const MAX_BYTES = 10 * 1024 * 1024
const DISK_FULL = /No space left on device|wrote only \d+ of \d+ bytes/

/**
 * PostgreSQL appends to the file for as long as it runs, so the file is copied and truncated instead of renamed. There are at most
 * two files of about 10 MB.
 */
export async function boundLogFile(path: string): Promise<void> {
  if ((await sizeOf(path)) < MAX_BYTES) return
  await copyFile(path, `${path}.1`)
  await truncate(path)
}

export async function openLogFile(path: string) {
  await boundLogFile(path)
  return open(path, 'a', 0o600)
}

export async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}

/** What was written after `offset`. */
export async function linesSince(path: string, offset: number): Promise<string[]> {
  const text = (await readFile(path)).subarray(offset).toString()
  return text.split('\n').filter((line) => line.trim() !== '')
}

/** One line for the operator, of the last few lines of a program that failed. */
export function summarise(lines: string[]): string {
  const text = lines.map((line) => line.replace(/^\S+ \S+ \S+ \[\d+\] /, '').trim())
  if (text.some((line) => DISK_FULL.test(line))) return 'the disk is full: make room and start again'
  return text.slice(-3).join(' / ') || 'it said nothing'
}
