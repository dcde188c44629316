import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Grant } from '../accounts/keyring.ts'
import { type Connection, connectionOf } from './connection.ts'
import { newRequestId } from './request-id.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** One request and its answer. */
export class Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly connection: Connection
  readonly id: string = newRequestId()
  readonly startedAt: number = performance.now()
  /** Since when the answer is waited for, and where that is noted. */
  waitingSince = 0
  slot: number | undefined
  /** Whether it holds a slot of the concurrency limit. */
  active = false
  grant: Grant | undefined
  /** The last step of a path that ends in an id, decoded. */
  parameter = ''
  /** What is to be told when it is over. */
  observe: ((exchange: Exchange) => void) | undefined
  /** The error code of the answer; empty for a success. */
  failureCode = ''
  readonly #silenceMs: number
  /** Names and values in turn, as node takes them. */
  readonly #headers: string[]

  constructor(request: IncomingMessage, response: ServerResponse, silenceMs: number) {
    this.#silenceMs = silenceMs
    this.request = request
    this.response = response
    this.connection = connectionOf(request.socket)
    this.#headers = ['request-id', this.id]
  }

  get method(): string {
    return this.request.method as string
  }

  get url(): string {
    return this.request.url as string
  }

  get elapsedMs(): number {
    return performance.now() - this.startedAt
  }

  /** For the answer that is to come. */
  setHeaders(headers: Readonly<Record<string, string>>): void {
    for (const name in headers) this.#headers.push(name, headers[name] as string)
  }

  /** The first answer counts; who comes later, or when nobody is there any more, is not heard. */
  send(status: number, contentType: string, text: string): void {
    const { response } = this
    if (response.headersSent || response.destroyed) return
    const bytes = Buffer.byteLength(text)
    this.#headers.push('content-type', contentType, 'content-length', String(bytes))
    response.writeHead(status, this.#headers)
    if (this.request.method === 'HEAD') response.end()
    // As many bytes as characters are ASCII, which goes out as it is.
    else response.end(text, bytes === text.length ? 'latin1' : 'utf8')
    // Who does not read it is cut off; a timer for every answer, most of which are gone at once, would take 4 µs each.
    const { socket } = this.request
    if (socket.writableLength > 0) socket.setTimeout(this.#silenceMs)
  }
}
