/** Text or bytes as bytes; undefined for anything else. Not by `instanceof`, which is false for an array of another realm. */
export function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value === 'string') return encode(value)
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]'
    ? new Uint8Array(value as ArrayBuffer)
    : undefined
}

export function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

export function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Joins the chunks. When there are more than `most` bytes it reads no further, and returns undefined. */
export async function readAtMost(
  most: number,
  chunks: Pick<AsyncIterator<Uint8Array | string>, 'next'>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  while (true) {
    const { value, done } = await chunks.next()
    if (done) return concatenate(parts)
    const part = typeof value === 'string' ? encode(value) : value
    length += part.length
    if (length > most) return undefined
    parts.push(part)
  }
}
