import { once } from 'node:events'
import { connect } from 'node:net'
import type { Json, Response } from './requests.ts'
import { type Answer, checkAnswer } from './response-schemas.ts'

/** Sends bytes that no HTTP client would, and reads until the server ends the connection. */
export async function exchangeRaw(
  port: number,
  bytes: string | Buffer,
  { halfClose = false, host = '127.0.0.1' }: { halfClose?: boolean; host?: string } = {},
): Promise<Response> {
  const socket = connect({ port, host })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // The server may cut the connection while we are still sending.
  socket.on('error', () => {})
  socket.setTimeout(20_000, () => socket.destroy(new Error('the connection hangs')))
  if (halfClose) socket.end(bytes)
  else socket.write(bytes)
  await once(socket, 'close')
  const answer = parseAnswer(Buffer.concat(chunks))
  const [method = '', path = ''] = bytes.toString('latin1').split(' ', 2)
  return { ...answer, body: checkAnswer(method, path, answer) as Json }
}

function parseAnswer(bytes: Buffer): Answer {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) throw new Error(`no answer: ${JSON.stringify(bytes.toString('latin1').slice(0, 500))}`)
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { status: Number(statusLine.split(' ')[1]), headers, text: bytes.toString('utf8', end + 4) }
}
