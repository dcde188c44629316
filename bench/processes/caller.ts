import { Agent, request } from 'undici'
import { Usher } from '../../client/src/index.ts'
import { KEY } from '../traffic.ts'
import { answerParent } from './child.ts'

/** Tracks events in a loop, so many at a time: by our client, or by bare undici, which is the yardstick. */

export interface CallerQuestion {
  by: 'client' | 'undici'
  url: string
  concurrency: number
  seconds: number
}

export interface CallerAnswer {
  perSecond: number
  cpuMicros: number
}

answerParent<CallerQuestion, CallerAnswer>(async ({ by, url, concurrency, seconds }) => {
  const dispatcher = new Agent({ connections: concurrency })
  const call = by === 'client' ? withClient(url) : withUndici(url, dispatcher)
  const cpuBefore = process.cpuUsage()
  const started = performance.now()
  const deadline = started + seconds * 1_000
  let calls = 0
  const loop = async () => {
    while (performance.now() < deadline) {
      await call(calls)
      calls += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
  const { user, system } = process.cpuUsage(cpuBefore)
  const perSecond = calls / ((performance.now() - started) / 1_000)
  await dispatcher.close()
  return { perSecond, cpuMicros: (user + system) / calls }
})

const event = (seats: number) => ({
  name: 'project_created',
  user_id: 'user_00000001',
  attributes: { plan: 'growth', seats, billed: true },
})

function withClient(baseUrl: string): (seats: number) => Promise<unknown> {
  const usher = new Usher({ baseUrl, apiKey: KEY })
  return (seats) => usher.events.track(event(seats))
}

/** The same request as the client's, each with its own key. undici has no deadline here and no retries. */
function withUndici(baseUrl: string, dispatcher: Agent): (seats: number) => Promise<unknown> {
  const common = {
    accept: 'application/json',
    authorization: `Bearer ${KEY}`,
    'service-version': '2020-01-03',
    'content-type': 'application/json',
  }
  return async (seats) => {
    const body = JSON.stringify(event(seats))
    const headers = { ...common, 'idempotency-key': crypto.randomUUID() }
    const response = await request(`${baseUrl}/events`, { method: 'POST', headers, body, dispatcher })
    if (response.statusCode !== 200) throw new Error(`the server answered ${response.statusCode}`)
    return await response.body.json()
  }
}
