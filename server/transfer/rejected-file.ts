import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { RejectedLine } from './records.ts'

/** The lines that were refused, with number and reason: NDJSON, in a file that exists only when there are any. */
export class RejectedFile {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** Restores the file as of line `lines`: an interrupted import may have written more. */
  async resetTo(lines: number, rejected: readonly RejectedLine[]): Promise<void> {
    const kept = lines === 0 ? [] : (await this.#read()).filter((line) => lineOf(line) <= lines)
    const all = [...kept, ...rejected.map((each) => JSON.stringify(each))]
    if (all.length === 0) return await rm(this.path, { force: true })
    await writeFile(`${this.path}.new`, `${all.join('\n')}\n`, { mode: 0o600 })
    await rename(`${this.path}.new`, this.path)
  }

  /** The numbers of its lines. */
  async lines(): Promise<Set<number>> {
    return new Set((await this.#read()).map(lineOf))
  }

  async add(rejected: readonly RejectedLine[]): Promise<void> {
    if (rejected.length === 0) return
    await appendFile(this.path, `${rejected.map((each) => JSON.stringify(each)).join('\n')}\n`, { mode: 0o600 })
  }

  async #read(): Promise<string[]> {
    const text = await readFile(this.path, 'utf8').catch(() => '')
    return text.split('\n').filter((line) => line !== '')
  }
}

function lineOf(text: string): number {
  try {
    return Number((JSON.parse(text) as RejectedLine).line)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
