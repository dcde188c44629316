import { Agent, request } from 'undici'
import { answerParent } from './child.ts'

/** The yardstick for deliveries: undici posting the same body in a loop, this many at a time. */

export interface PosterQuestion {
  url: string
  body: string
  concurrency: number
  seconds: number
}

answerParent<PosterQuestion, { perSecond: number }>(async ({ url, body, concurrency, seconds }) => {
  const dispatcher = new Agent({ connections: concurrency })
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  let posted = 0
  const started = performance.now()
  const deadline = started + seconds * 1_000
  const loop = async () => {
    while (performance.now() < deadline) {
      const response = await request(url, { method: 'POST', headers, body, dispatcher })
      await response.body.dump()
      posted += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
  const perSecond = posted / ((performance.now() - started) / 1_000)
  await dispatcher.close()
  return { perSecond }
})
