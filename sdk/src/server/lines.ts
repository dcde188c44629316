import type { StreamMessage } from '../../../contract/sdk/protocol.ts'

/** A stream that sends more than this without the end of a line is broken. */
const LONGEST_LINE = 64 * 1024

/** Reads server-sent events: the data of each, as soon as its line is complete. Others are left out. */
export class LineReader {
  #rest = ''

  read(text: string): StreamMessage[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r/)
    this.#rest = (lines.pop() ?? '').slice(-LONGEST_LINE)
    return lines.flatMap((line) => message(line))
  }
}

function message(line: string): StreamMessage[] {
  if (!line.startsWith('data:')) return []
  try {
    const data = JSON.parse(line.slice(5)) as StreamMessage
    return typeof data?.type === 'string' ? [data] : []
  } catch {
    return []
  }
}
