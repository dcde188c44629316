import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { KEY } from '../traffic.ts'
import { answerParent } from './child.ts'

/** `open`: so many streams, each of a browser and a user of its own. `hear`: how long a hint takes. `close`: all of them. */
export type StreamQuestion =
  | { kind: 'open'; port: number; token: string; count: number }
  | { kind: 'hear'; port: number; from: number; token: string; times: number }
  | { kind: 'close' }

export interface StreamAnswer {
  /** Open streams. */
  open: number
  /** From the answer to the back end to the hint, in milliseconds. */
  delaysMs: number[]
}

const AT_ONCE = 50
const open = new Set<Socket>()

answerParent<StreamQuestion, StreamAnswer>(async (question) => {
  const delaysMs: number[] = []
  if (question.kind === 'open') await openMany(question)
  else if (question.kind === 'hear') delaysMs.push(...(await hear(question)))
  else await closeAll()
  return { open: open.size, delaysMs }
})

async function openMany({ port, token, count }: { port: number; token: string; count: number }): Promise<void> {
  let next = 0
  const openNext = async () => {
    while (next < count) await openStream(port, token, next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, openNext))
}

/** Resolves when the server has begun to answer. */
async function openStream(port: number, token: string, number: number): Promise<Socket> {
  const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
  const visitor = await identify(port, token, number, address)
  const socket = connect(port, '127.0.0.1')
  const lines = [
    'GET /sdk/stream HTTP/1.1',
    'host: 127.0.0.1',
    `authorization: Bearer ${token}`,
    `usher-visitor: ${visitor}`,
    ...Object.entries(forwarded(address)).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const [first] = (await once(socket, 'data')) as [Buffer]
  if (!first.toString().startsWith('HTTP/1.1 200')) throw new Error(`the stream is refused: ${first}`)
  open.add(socket)
  socket.on('close', () => open.delete(socket))
  return socket.resume()
}

async function identify(port: number, token: string, number: number, address: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/sdk/identify`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...forwarded(address) },
    body: JSON.stringify({ user_id: `watcher_${number}`, browser_id: `browser-${number}`, protocol: 1 }),
  })
  const body = (await response.json()) as { visitor?: string }
  if (body.visitor === undefined) throw new Error(`identify answered ${JSON.stringify(body)}`)
  return body.visitor
}

/** Each address has a limit. */
function forwarded(address: string): Record<string, string> {
  return { 'x-forwarded-for': address, 'x-forwarded-proto': 'https' }
}

/** The stream is on one node, and the back end writes on the other. */
async function hear({ port, from, token, times }: StreamQuestion & { kind: 'hear' }): Promise<number[]> {
  const socket = await openStream(port, token, 0)
  const delays: number[] = []
  let hinted = () => {}
  socket.on('data', (chunk: Buffer) => chunk.includes('"hint"') && hinted())
  // The writing node hears within seconds that there is a stream.
  for (let isHeard = false; !isHeard; ) isHeard = (await hearOnce(from, (done) => (hinted = done))) !== undefined
  while (delays.length < times) {
    const delay = await hearOnce(from, (done) => (hinted = done))
    delays.push(delay ?? Number.POSITIVE_INFINITY)
  }
  return delays
}

const LONGEST_MS = 5_000

async function hearOnce(port: number, onHint: (done: () => void) => void): Promise<number | undefined> {
  const hint = new Promise<number>((resolve) => onHint(() => resolve(performance.now())))
  const response = await fetch(`http://127.0.0.1:${port}/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: '{"name":"project_created","user_id":"watcher_0"}',
  })
  const answered = performance.now()
  await response.arrayBuffer()
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), LONGEST_MS).unref())
  const heard = await Promise.race([hint, late])
  return heard === undefined ? undefined : Math.max(0, heard - answered)
}

async function closeAll(): Promise<void> {
  const closed = [...open].map((socket) => once(socket, 'close'))
  for (const socket of open) socket.destroy()
  await Promise.all(closed)
}
