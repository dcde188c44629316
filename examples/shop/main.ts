import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { expressWebhook, Usher } from '@usher/client'
import express from 'express'
import { renderPage } from './page.ts'
import type { Shop } from './types.ts'

/** A small shop. It identifies its customers, tracks their orders, and shows the webhooks that it receives. */
const { USHER_URL = 'http://127.0.0.1:8080', USHER_API_KEY = '', PORT = '3000' } = process.env
if (USHER_API_KEY === '')
  fail('Set USHER_API_KEY to a key of an environment: npx usher keys create --environment Production')
const usher = new Usher<Shop>({ baseUrl: USHER_URL, apiKey: USHER_API_KEY })
const events = usher.events.buffer({ onDrop: ({ event, reason }) => console.error('dropped', event.name, reason) })
const orders: { customer: string; product: string }[] = []
const received: string[] = []
const seen = new Set<string>()

const app = express()
const server = createServer(app)
server.once('error', ({ message }) => fail(`The shop cannot open: ${message}. Set PORT to another port.`))
await new Promise<void>((resolve) => server.listen(Number(PORT), '127.0.0.1', resolve))
const { port } = server.address() as { port: number }
const address = `http://127.0.0.1:${port}`

// The secret is shown once, so this shop creates its own subscription and deletes it when it stops.
const subscription = await usher.webhookSubscriptions
  .create({ url: `${address}/hooks/usher`, topics: ['*'] })
  .catch(({ message }: Error) =>
    fail(`${USHER_URL}: ${message}\nAre USHER_URL and USHER_API_KEY those of your server?`),
  )

app.post(
  '/hooks/usher',
  expressWebhook<Shop>({
    secret: subscription.secret,
    onNotification: ({ id, topic }) => {
      // A notification may come more than once.
      if (!seen.has(id)) received.unshift(topic)
      seen.add(id)
    },
  }),
)

app.get('/', (_request, response) => {
  events.track({ name: 'page_viewed', user_id: 'visitor', attributes: { path: '/' } })
  response.type('html').send(renderPage(orders, received))
})

app.post('/orders', express.urlencoded({ extended: false }), async (request, response) => {
  const { name = '', product = '' } = request.body as { name?: string; product?: string }
  const id = `customer_${name.toLowerCase().replace(/[^a-z0-9]+/g, '_')}`
  await usher.users.upsert({ id, attributes: { name, orders: { add: 1 }, last_seen_at: new Date() } })
  // The id of the order is the key: if the shop crashes and sends the event again, it is stored once.
  const order = randomUUID()
  await usher.events.track(
    { name: 'order_placed', user_id: id, attributes: { product, order } },
    { idempotencyKey: `order-${order}` },
  )
  orders.unshift({ customer: name, product })
  response.redirect('/')
})

console.log(`The shop is open at ${address}`)

async function close(): Promise<void> {
  server.close()
  await events.close()
  await usher.webhookSubscriptions
    .delete(subscription.id)
    .catch(({ message }: Error) => fail(`The subscription ${subscription.id} stays: ${message}`))
  process.exit(0)
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
process.once('SIGINT', () => void close())
process.once('SIGTERM', () => void close())
