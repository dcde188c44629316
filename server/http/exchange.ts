import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ApiError } from '../errors.ts'
import { type Connection, connectionOf } from './connection.ts'
import { discardBody } from './discarding.ts'
import type { Reply, ReplyHeaders } from './reply.ts'
import { newRequestId } from './request-id.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** What the exchanges of a server share. */
export interface ExchangeOptions {
  /** How long a client may read nothing of its answer. */
  readonly silenceMs: number
  /** The answers that end only with their connection. */
  readonly endless: Set<ServerResponse>
}

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
  /** Whether the caller was let in. */
  admitted = false
  /** What the caller was let in with. */
  grant: unknown
  /** The body of the request, as it came and as it was read. */
  bytes: Buffer | undefined
  body: object | undefined
  /** Whether it holds a slot of the concurrency limit. */
  active = false
  /** Whether the client waits for `100 Continue` before it sends the body. */
  expectsContinue = false
  /** The parameters of the path, decoded. */
  params: Record<string, string> = NO_PARAMS
  /** Query parameters that the operation does not have, for the log. */
  ignoredParameters: string | undefined
  /** What is to be told when it is over. */
  observe: ((exchange: Exchange) => void) | undefined
  /** The error code of the answer; empty for a success. */
  failureCode = ''
  failure: ApiError | undefined
  /** What was answered, if it was a text. */
  answer = ''
  /** Whose data the caller works with, once that is known; for the log. */
  environmentId: number | undefined
  readonly #options: ExchangeOptions
  /** Names and values in turn, as node takes them. */
  readonly #headers: string[]

  constructor(request: IncomingMessage, response: ServerResponse, options: ExchangeOptions) {
    this.#options = options
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
  setHeaders(headers: ReplyHeaders): void {
    for (const name in headers) {
      const value = headers[name] as string | readonly string[]
      if (typeof value === 'string') this.#headers.push(name, value)
      else for (const one of value) this.#headers.push(name, one)
    }
  }

  /** The first answer counts. A later one, or one that nobody waits for any more, is dropped. */
  send(status: number, contentType: string, text: string): void {
    const { response } = this
    if (response.headersSent || response.destroyed) return
    const bytes = Buffer.byteLength(text)
    this.answer = text
    this.#headers.push('content-type', contentType, 'content-length', String(bytes))
    response.writeHead(status, this.#headers)
    // As many bytes as characters are ASCII, which goes out as it is.
    const encoding = bytes === text.length ? 'latin1' : 'utf8'
    if (this.request.method === 'HEAD') response.end()
    else if (this.request.complete) response.end(text, encoding)
    else this.#sendEarly(text, encoding)
    // A client that does not read is cut off. A timer for every answer, most of which are gone at once, took 4 µs each.
    const { socket } = this.request
    if (socket.writableLength > 0) socket.setTimeout(this.#options.silenceMs)
  }

  /** The answer came before the whole body did: it goes out now, and ends when the rest of the body has been dropped. */
  #sendEarly(text: string, encoding: 'latin1' | 'utf8'): void {
    const { request, response } = this
    response.write(text, encoding)
    discardBody(request, (isComplete) => {
      response.end()
      if (!isComplete) request.socket.destroySoon()
    })
  }

  /** The body is wanted. A client that asked whether to send it waits for this. */
  askForBody(): void {
    if (!this.expectsContinue) return
    this.expectsContinue = false
    this.response.writeContinue()
  }

  /** Sends what a handler answered beyond JSON text. */
  async reply({ status = 200, headers, contentType = JSON_TYPE, body, isEndless }: Reply): Promise<void> {
    if (headers) this.setHeaders(headers)
    if (typeof body === 'string') this.send(status, contentType, body)
    else await this.#stream(status, contentType, body, isEndless === true)
  }

  async #stream(status: number, contentType: string, body: AsyncIterable<string | Uint8Array>, isEndless: boolean) {
    const { response, request } = this
    if (response.headersSent || response.destroyed) return
    this.#headers.push('content-type', contentType)
    response.writeHead(status, this.#headers)
    if (request.method === 'HEAD') return void response.end()
    request.socket.setTimeout(this.#options.silenceMs)
    const { endless } = this.#options
    if (isEndless) endless.add(response.once('close', () => endless.delete(response)))
    // The first bytes tell the client that it is being answered.
    response.flushHeaders()
    await pipeline(Readable.from(body), response)
  }

  /** Aborted when the connection closes or the answer is out. */
  signal(): AbortSignal {
    const controller = new AbortController()
    this.response.once('close', () => controller.abort())
    if (this.response.closed) controller.abort()
    return controller.signal
  }
}

const NO_PARAMS: Record<string, string> = {}
