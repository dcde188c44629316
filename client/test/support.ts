import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { Usher, type UsherOptions } from '../src/index.ts'

export interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

/** A server that answers by a script, one function for each request; the last one answers all that follow. */
export async function scripted(
  ...script: ((response: ServerResponse, seen: Seen) => void)[]
): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const url = await listen(async (request, response) => {
    let body = ''
    try {
      for await (const chunk of request) body += chunk
    } catch {
      // The client gave up, or the test is over.
      return
    }
    const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
    seen.push(one)
    script[Math.min(seen.length, script.length) - 1]?.(response, one)
  })
  return { url, seen }
}

/** Real HTTP on a free port, until the test is over. */
async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  return (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
}

export function failure(status: number, code: string, headers: Record<string, string> = {}) {
  return answer(status, { error: { code, message: code, doc_url: 'http://x/docs', request_id: 'req_1' } }, headers)
}

export const breakConnection = (response: ServerResponse) => void response.socket?.destroy()
export const neverAnswer = () => {}

/** No answer until `breakOff` is called, which ends the connection. */
export function heldAnswer() {
  const { promise, resolve: breakOff } = Promise.withResolvers<void>()
  return { hold: (response: ServerResponse) => void promise.then(() => breakConnection(response)), breakOff }
}

export const usherAt = (baseUrl: string, options: Partial<UsherOptions> = {}) =>
  new Usher({ baseUrl, apiKey: 'ak_test', ...options })
