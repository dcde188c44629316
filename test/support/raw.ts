import { connect } from 'node:net'
import type { Json, Response } from './requests.ts'
import { type Answer, checkAnswer } from './response-schemas.ts'

const TIMEOUT_MS = 20_000

/** Sends bytes that no HTTP client would, and reads what comes until the server ends the connection. */
export async function exchangeBytes(port: number, bytes: string | Buffer, halfClose = false): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1' })
  const chunks: Buffer[] = []
  let hangs = false
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // A server that refuses the request may reset the connection while we are still sending.
  socket.on('error', () => {})
  socket.setTimeout(TIMEOUT_MS, () => {
    hangs = true
    socket.destroy()
  })
  if (halfClose) socket.end(bytes)
  else socket.write(bytes)
  await new Promise((resolve) => socket.once('close', resolve))
  if (hangs) throw new Error('the connection hangs')
  return Buffer.concat(chunks)
}

/** The same, with the answer held against its schema. */
export async function exchangeRaw(
  port: number,
  bytes: string | Buffer,
  { halfClose = false }: { halfClose?: boolean } = {},
): Promise<Response> {
  const answer = parseAnswer(await exchangeBytes(port, bytes, halfClose))
  const [method = '', path = ''] = bytes.toString('latin1').split(' ', 2)
  return { ...answer, body: checkAnswer(method, path, answer) as Json }
}

export function parseAnswer(bytes: Buffer): Answer {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) throw new Error(`no answer: ${JSON.stringify(bytes.toString('latin1').slice(0, 500))}`)
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const body = bytes.subarray(end + 4)
  const text = (headers['transfer-encoding'] === 'chunked' ? joinChunks(body) : body).toString('utf8')
  return { status: Number(statusLine.split(' ')[1]), headers, text }
}

function joinChunks(body: Buffer): Buffer {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const line = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.toString('latin1', at, line), 16)
    if (line === -1 || Number.isNaN(size)) throw new Error('the chunks of the answer break off')
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(body.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
}
