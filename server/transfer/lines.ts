import { limits } from '../../contract/limits.ts'

const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d
const NOTHING = Buffer.alloc(0)
/** A request body, and the end of its line. */
const LONGEST = limits.bodyBytes + 2
const MARK = Buffer.from([0xef, 0xbb, 0xbf])

export interface Line {
  number: number
  /** Undefined when it is longer than a request body may be. */
  bytes: Buffer | undefined
}

/** The lines of a text in UTF-8, numbered from 1; empty ones are left out. They come as they were read, many at a time. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  const reader = new LineReader()
  for await (const chunk of chunks) yield reader.push(chunk)
  yield reader.end()
}

class LineReader {
  #number = 0
  /** The beginning of a line whose end has not been read. */
  #parts: Buffer[] = []
  #length = 0

  push(chunk: Buffer): Line[] {
    const lines: Line[] = []
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end))
      this.#endLine(lines)
      start = end + 1
    }
    if (start < chunk.length) this.#add(chunk.subarray(start))
    return lines
  }

  end(): Line[] {
    const lines: Line[] = []
    this.#endLine(lines)
    return lines
  }

  #add(part: Buffer): void {
    this.#length += part.length
    if (this.#length <= LONGEST) this.#parts.push(part)
    else this.#parts = []
  }

  #endLine(lines: Line[]): void {
    this.#number += 1
    const [first = NOTHING] = this.#parts
    const bytes = this.#parts.length > 1 ? Buffer.concat(this.#parts) : first
    const line = this.#length > LONGEST ? undefined : trim(bytes, this.#number)
    if (line?.length !== 0) lines.push({ number: this.#number, bytes: line })
    this.#parts = []
    this.#length = 0
  }
}

function trim(line: Buffer, number: number): Buffer {
  const start = number === 1 && line.subarray(0, 3).equals(MARK) ? 3 : 0
  const end = line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length
  return line.subarray(start, end)
}
