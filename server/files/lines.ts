/**
 * The lines of a text that comes in chunks. What is after the last line end is left out: it is half written. A line is not
 * searched again for each of its chunks, so one of 20 MB, which has 1,200, takes linear time.
 */
export async function* linesIn(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    const parts = chunk.split('\n')
    parts[0] = rest + parts[0]
    rest = parts.pop() as string
    yield* parts
  }
}
