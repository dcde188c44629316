import { expect, it } from 'vitest'
import { operations } from '../../contract/operations.ts'
import { startTestServer } from '../../test/support/client.ts'
import { httpReceiver } from '../../test/support/receivers.ts'
import { exampleCalls, exampleIds, exampleReceiver, pathOfCall } from './example-calls.ts'

/** Replaces values that differ between runs by those that the reference shows. */
function settle(text: string, address: string, ids: Record<string, string>): string {
  return (
    Object.entries(ids)
      .reduce((shown, [example, id]) => shown.replaceAll(id, example), text)
      .replaceAll(address, 'https://usher.example.com')
      .replace(/"(?!signed_up_at)(\w+_at|at)":"20[^"]+"/g, '"$1":"2026-01-03T09:30:00.000Z"')
      .replace(/"time":"2026-(?!01-03)[^"]+"/g, '"time":"2026-01-03T09:30:00.000Z"')
      .replace(/req_[0-9a-z]+/g, 'req_0c1f9a2b7d3e000001')
      .replace(/"(\w+_ms)":[\d.]+/g, '"$1":12')
      .replace('"connect_ms":null', '"connect_ms":12')
      // Counted in memory, and written later.
      .replace(/"event_count":\d+/g, '"event_count":1')
      .replace(/"secret":"[^"]+"/g, '"secret":"whsec_4f0c2a9be1d4…"')
      .replace(/(?!019b7a1)[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/g, '019b7a1c-7d00-7b3a-a1c8-2e4f6a8b0c1d')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f-]{21}/g, '0b7f6a3e-6c0b-5c8e-9b44-0a6f3d1c2b10')
      .replace(/(position=)[\w%-]+/g, '$1WyJ1XzEiXQ')
  )
}

/** It may have been sent already when the answer is read. */
const justRetried = {
  ...{ attempts: 0, state: 'waiting', reason: 'queued' },
  ...{ next_attempt_at: '2026-01-03T09:30:00.000Z', expires_at: '2026-01-06T09:30:00.000Z' },
}

it('the answers in the reference are those of a server to the requests beside them (--update records them again)', async () => {
  const receiver = await httpReceiver((_request, response) => void response.end('ok'))
  const local = `http://127.0.0.1:${receiver.port}/`
  const server = await startTestServer()
  /** The ids that the server assigned, by the ids that the reference shows. */
  const ids: Record<string, string> = {}
  const recorded: Record<string, unknown> = {}
  try {
    for (const call of exampleCalls) {
      const { method, path } = operations[call.operation]
      const target = Object.entries(ids).reduce(
        (text, [example, id]) => text.replace(example, id),
        pathOfCall(path, call),
      )
      const { status, body } = await server.client.send(
        method,
        target,
        call.body === undefined ? undefined : JSON.stringify(call.body).replace(exampleReceiver, local),
      )
      expect([call.operation, status]).toEqual([call.operation, 200])
      const { id } = body as { id: string }
      if (call.operation === 'createWebhookSubscription') ids[exampleIds.subscription] = id
      if (call.operation === 'trackEvent') ids[exampleIds.event] = id
      if (call.operation === 'claimContent') ids[exampleIds.session] = id
      if (call.operation === 'testWebhookSubscription') ids[exampleIds.delivery] = id
      if (call.operation === 'saveContent') {
        ids[exampleIds.content] = id
        ids[exampleIds.version] = (body as { draft_version_id: string }).draft_version_id
      }
      const shown = call.operation === 'retryWebhookDelivery' ? { ...(body as object), ...justRetried } : body
      recorded[call.operation] = JSON.parse(
        settle(JSON.stringify(shown).replaceAll(local, exampleReceiver), server.url, ids),
      )
    }
  } finally {
    await server.close()
    await receiver.close()
  }
  await expect(`${JSON.stringify(recorded, null, 2)}\n`).toMatchFileSnapshot('../../docs/examples.json')
})
