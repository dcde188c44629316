import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** The address of a server that answers every request with this. */
export async function strangeServer(answer: (response: ServerResponse) => void): Promise<string> {
  const strange = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1')
  await once(strange, 'listening')
  onTestFinished(() => void strange.close())
  return `http://127.0.0.1:${(strange.address() as AddressInfo).port}`
}

/** The answer of `GET /content` with one content, whose draft is this document, right or not. */
export function listedContent(document: unknown, next: object = { has_more: false }) {
  const { key } = document as { key: unknown }
  return { data: [{ key, draft_version: { revision: '1.1', document }, published_version: null }], ...next }
}
