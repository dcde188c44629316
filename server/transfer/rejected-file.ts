import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { appendFile, rename, rm, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { linesIn } from '../files/lines.ts'
import type { RejectedLine } from './records.ts'
import { type Source, STDIN } from './source.ts'

/** The lines that were refused, with number and reason: NDJSON, in a file that exists only when there are any. */
export class RejectedFile {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** Restores the file as of line `lines`: an interrupted import may have written more. */
  async resetTo(lines: number, rejected: readonly RejectedLine[]): Promise<void> {
    // Nothing is written when there is nothing to keep: the folder may be one that cannot be written.
    if (rejected.length === 0 && (lines === 0 || !(await this.#isThere()))) return await rm(this.path, { force: true })
    const unfinished = `${this.path}.new`
    await pipeline(Readable.from(this.#contents(lines, rejected)), createWriteStream(unfinished, { mode: 0o600 }))
    if ((await stat(unfinished)).size > 0) return await rename(unfinished, this.path)
    await Promise.all([unfinished, this.path].map((path) => rm(path, { force: true })))
  }

  async #isThere(): Promise<boolean> {
    try {
      await stat(this.path)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      return false
    }
  }

  async *#contents(lines: number, rejected: readonly RejectedLine[]): AsyncGenerator<string> {
    if (lines > 0) for await (const line of this.#read()) if (lineOf(line) <= lines) yield `${line}\n`
    for (const each of rejected) yield `${JSON.stringify(each)}\n`
  }

  /** The numbers of its lines. */
  async lines(): Promise<Set<number>> {
    const numbers = new Set<number>()
    for await (const line of this.#read()) numbers.add(lineOf(line))
    return numbers
  }

  async add(rejected: readonly RejectedLine[]): Promise<void> {
    if (rejected.length === 0) return
    await appendFile(this.path, `${rejected.map((each) => JSON.stringify(each)).join('\n')}\n`, { mode: 0o600 })
  }

  /** Line by line, since it may be as large as the source. A line without an end is half written, and left out. */
  async *#read(): AsyncGenerator<string> {
    try {
      yield* linesIn(createReadStream(this.path, 'utf8') as AsyncIterable<string>)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

/**
 * Beside a file. What can be read only once gets a new one in the current folder: the next such import must not remove it, and
 * beside a pipe of the shell, such as `/dev/fd/63`, none can be made.
 */
export function rejectedPathOf(path: string, { identity }: Pick<Source, 'identity'>): string {
  if (identity !== undefined) return `${path}.rejected.ndjson`
  const name = path === STDIN ? 'stdin' : basename(path)
  return `${name}-${randomUUID().slice(0, 8)}.rejected.ndjson`
}

function lineOf(text: string): number {
  try {
    return Number((JSON.parse(text) as RejectedLine).line)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
