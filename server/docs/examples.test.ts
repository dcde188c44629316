import { expect, it } from 'vitest'
import { operations } from '../../contract/operations.ts'
import { startTestServer } from '../../test/support/client.ts'
import { exampleCalls, exampleIds, pathOfCall } from './example-calls.ts'

/** What differs from run to run becomes what the reference shows instead. */
function settle(text: string, address: string, ids: Record<string, string>): string {
  return (
    Object.entries(ids)
      .reduce((shown, [example, id]) => shown.replaceAll(id, example), text)
      .replaceAll(address, 'https://usher.example.com')
      .replace(/"(created_at|first_seen_at|last_seen_at)":"20[^"]+"/g, '"$1":"2026-01-03T09:30:00.000Z"')
      // Counted in memory, and written a moment later.
      .replace(/"event_count":\d+/g, '"event_count":1')
      .replace(/"secret":"[^"]+"/g, '"secret":"whsec_4f0c2a9be1d4…"')
      .replace(/(?!019b7a1)[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/g, '019b7a1c-7d00-7b3a-a1c8-2e4f6a8b0c1d')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f-]{21}/g, '0b7f6a3e-6c0b-5c8e-9b44-0a6f3d1c2b10')
      .replace(/(position=)[\w%-]+/g, '$1WyJ1XzEiXQ')
  )
}

it('the answers in the reference are those of a server to the requests beside them (--update records them anew)', async () => {
  const server = await startTestServer()
  /** What the server called the things whose ids it makes, by the ids that the reference shows. */
  const ids: Record<string, string> = {}
  const recorded: Record<string, unknown> = {}
  try {
    for (const call of exampleCalls) {
      const { method, path } = operations[call.operation as keyof typeof operations]
      const target = Object.entries(ids).reduce(
        (text, [example, id]) => text.replace(example, id),
        pathOfCall(path, call),
      )
      const { status, body } = await server.client.send(
        method,
        target,
        call.body === undefined ? undefined : JSON.stringify(call.body),
      )
      expect([call.operation, status]).toEqual([call.operation, 200])
      const { id } = body as { id: string }
      if (call.operation === 'createWebhookSubscription') ids[exampleIds.subscription] = id
      if (call.operation === 'trackEvent') ids[exampleIds.event] = id
      recorded[call.operation] = JSON.parse(settle(JSON.stringify(body), server.url, ids))
    }
  } finally {
    await server.close()
  }
  await expect(`${JSON.stringify(recorded, null, 2)}\n`).toMatchFileSnapshot('../../docs/examples.json')
})
