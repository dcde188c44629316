import { createServer } from 'node:http'
import { receive } from '../test/support/receivers.ts'

/** Receives the notifications of the drill and records them. */
export interface NotificationReceiver {
  readonly url: string
  readonly events: Set<string>
  readonly users: Set<string>
  /** The values of each counter in notifications. */
  readonly values: Map<string, Set<number>>
  readonly marks: Set<string>
  received: number
  close(): Promise<void>
}

interface Notification {
  topic: string
  data: { object: { id: string; attributes: { mark?: string; n?: number } } }
}

export async function openReceiver(): Promise<NotificationReceiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      take(receiver, JSON.parse(Buffer.concat(chunks).toString()))
      response.writeHead(200, { 'content-length': 0 }).end()
    })
  })
  const { port, close } = await receive(server)
  const receiver: NotificationReceiver = {
    url: `http://127.0.0.1:${port}/drill`,
    events: new Set(),
    users: new Set(),
    values: new Map(),
    marks: new Set(),
    received: 0,
    close,
  }
  return receiver
}

function take(receiver: NotificationReceiver, { topic, data: { object } }: Notification): void {
  receiver.received += 1
  const { mark, n } = object.attributes
  if (mark !== undefined) receiver.marks.add(mark)
  if (topic.startsWith('event.')) receiver.events.add(object.id)
  else if (n === undefined) receiver.users.add(object.id)
  else receiver.values.set(object.id, (receiver.values.get(object.id) ?? new Set()).add(n))
}
