import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, EnvironmentId } from '../../server/database/database.ts'
import { ofOne } from '../../server/database/parts.ts'
import { leastIdAt, newId } from '../../server/ids.ts'
import { insertDeliveries, insertNotifications } from '../../server/outbox/queries.ts'
import { WINDOW_MS } from '../../server/outbox/window.ts'
import { Sender } from '../../server/webhooks/egress/send.ts'
import { type Receiver, receive } from './receivers.ts'

/** What a test of the delivery needs below HTTP: subscriptions, notifications, and a receiver. */

export async function addSubscription(
  database: Database,
  environmentId: EnvironmentId,
  url: string,
  secret = 'whsec_test',
): Promise<string> {
  const id = newId()
  await database.query(
    `insert into webhook_subscriptions
       (environment_id, id, url, url_key, topics, api_version, disabled, secret, created_at)
     values ($1::int, $2::uuid, $3::text, '', '{*}', '2020-01-03', false, $4::text, now())`,
    [environmentId, id, url, secret],
  )
  return id
}

/** Notifications with a delivery to each of the subscriptions, as if they were written at `atMs`. Returns the ids of the notifications. */
export async function addNotifications(
  database: Database,
  environmentId: EnvironmentId,
  subscriptionIds: readonly string[],
  count: number,
  atMs?: number,
): Promise<string[]> {
  const nowMs = atMs ?? Date.now()
  const at = new Date(nowMs).toISOString()
  const ids = Array.from({ length: count }, () => idAt(nowMs))
  const notifications = ids.map((id, index) => ({
    id,
    topic: 'user.updated',
    object: JSON.stringify({ id: `u_${index}`, object: 'user' }),
    userId: `u_${index}`,
    groupId: null,
    at,
  }))
  await insertNotifications(database, ofOne(environmentId, notifications))
  const deliveries = ids.map((notificationId) => ({ notificationId, subscriptionIds }))
  for (let start = 0; start < deliveries.length; start += 5_000) {
    await insertDeliveries(database, ofOne(environmentId, deliveries.slice(start, start + 5_000)))
  }
  if (atMs !== undefined)
    await database.query(
      `update webhook_deliveries
          set due_at = $3::timestamptz, expires_at = $4::timestamptz
        where environment_id = $1::int and notification_id = any($2::uuid[])`,
      [environmentId, ids, at, new Date(nowMs + WINDOW_MS).toISOString()],
    )
  return ids
}

/** An id of any time; those that the service makes never go back. */
export function idAt(ms: number): string {
  return leastIdAt(ms).slice(0, 14) + randomUUID().slice(14)
}

export interface Arrival {
  id: string
  path: string | undefined
  body: string
  headers: Record<string, string | string[] | undefined>
}

export interface Inbox extends Receiver {
  url: string
  arrivals: Arrival[]
  /** The most that were open at the same time. */
  most: number
  /** Ends the requests that hang. */
  hangUp(): void
  /** What it answers next: a status, or `hang` for no answer at all. It may take its time. */
  answer: (arrival: Arrival) => Answer | Promise<Answer>
}

type Answer = number | 'hang' | { status: number; headers: Record<string, string> }

export async function openInbox(answer: Inbox['answer'] = () => 200): Promise<Inbox> {
  const arrivals: Arrival[] = []
  const hanging: ServerResponse[] = []
  let open = 0
  const server = createServer((request, response) => {
    open += 1
    inbox.most = Math.max(inbox.most, open)
    response.on('close', () => {
      open -= 1
    })
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString()
      const arrival = { id: JSON.parse(body).id, path: request.url, body, headers: request.headers }
      arrivals.push(arrival)
      const answered = await inbox.answer(arrival)
      if (answered === 'hang') return void hanging.push(response)
      const { status, headers } = typeof answered === 'number' ? { status: answered, headers: {} } : answered
      response.writeHead(status, headers).end('seen')
    })
  })
  const hangUp = () => hanging.forEach((response) => void response.destroy())
  const inbox: Inbox = Object.assign(await receive(server), { url: '', arrivals, most: 0, hangUp, answer })
  inbox.url = `http://127.0.0.1:${inbox.port}/hook`
  return inbox
}

export function testSender(options: { totalTimeoutMs?: number } = {}): Sender {
  return new Sender({
    allowPrivate: true,
    connectTimeoutMs: 5_000,
    totalTimeoutMs: options.totalTimeoutMs ?? 15_000,
    userAgent: 'Usher/test (+https://usher.example.com/docs)',
  })
}

/** Waits for a condition, and says which one when it does not come. Asks less often the longer it takes. */
export async function eventually(what: string, holds: () => boolean | Promise<boolean>, withinMs = 120_000) {
  const deadline = performance.now() + withinMs
  for (let pauseMs = 5; !(await holds()); pauseMs = Math.min(50, pauseMs * 1.2)) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`)
    await sleep(pauseMs)
  }
}

export async function countDeliveries(database: Database, environmentId: EnvironmentId): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'select count(*) as count from webhook_deliveries where environment_id = $1::int',
    [environmentId],
  )
  return row?.count ?? 0
}
