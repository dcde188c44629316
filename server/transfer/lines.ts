import { limits } from '../../contract/limits.ts'

const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d
const MARK = Buffer.from([0xef, 0xbb, 0xbf])

export interface Line {
  number: number
  /** Undefined when it is longer than a request body may be. */
  bytes: Buffer | undefined
}

/** The lines of a text in UTF-8, numbered from 1; empty ones are left out. At most one line is held in memory. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0
  let parts: Buffer[] = []
  let length = 0
  const add = (part: Buffer) => {
    length += part.length
    if (length <= limits.bodyBytes + 2) parts.push(part)
    else parts = []
  }
  const take = (): Line => {
    number += 1
    const line = length > limits.bodyBytes + 2 ? undefined : trim(Buffer.concat(parts), number)
    parts = []
    length = 0
    return { number, bytes: line }
  }
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end))
      start = end + 1
      const line = take()
      if (line.bytes?.length !== 0) yield line
    }
    add(chunk.subarray(start))
  }
  const last = take()
  if (last.bytes?.length !== 0) yield last
}

function trim(line: Buffer, number: number): Buffer {
  const start = number === 1 && line.subarray(0, 3).equals(MARK) ? 3 : 0
  const end = line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length
  return line.subarray(start, end)
}
