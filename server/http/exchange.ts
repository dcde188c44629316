import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ApiError, errors } from '../errors.ts'
import { tuning } from '../tuning.ts'
import type { AnswerBudget } from './answer-budget.ts'
import type { BodyBudget } from './body-budget.ts'
import type { Compression, Packed } from './compression.ts'
import { type ClientConnection, connectionOf } from './connection.ts'
import { discardBody } from './discarding.ts'
import type { Reply, ReplyHeaders } from './reply.ts'
import { newRequestId } from './request-id.ts'
import { ResponseSink } from './response-sink.ts'
import type { StreamShares } from './stream-shares.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** What the exchanges of a server share. */
export interface ExchangeOptions {
  /** How long a client may stop reading its answer. */
  readonly silenceMs: number
  /** Answers without an end, such as server-sent events. */
  readonly endless: Set<ServerResponse>
  readonly bodies: BodyBudget
  readonly answers: AnswerBudget
  readonly streams: StreamShares
}

/** One request and its answer. The fields are grouped by who sets them. */
export class Exchange {
  // The constructor. They do not change.
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly connection: ClientConnection
  readonly id: string = newRequestId()
  readonly startedAt: number = performance.now()
  readonly #options: ExchangeOptions

  // `serve.ts` and `router.ts`, when the endpoint is found.
  /** Called when the exchange has ended. */
  observe: ((exchange: Exchange) => void) | undefined
  /** The parameters of the path, decoded. */
  params: Record<string, string> = NO_PARAMS

  // The admission. The first three are set before the rate limit is checked, so a refused request has them too.
  /** The environment of the caller, for the log. A member of the dashboard has none. */
  environmentId: number | undefined
  /** The account of the caller: what one holds leaves room for the others. */
  accountId: number | undefined
  grant: unknown
  /** Whether the caller was admitted. */
  admitted = false

  // `operation.ts`, when the body is received.
  bytes: Buffer | undefined
  /** The parsed body. */
  body: object | undefined
  /** Query parameters that the operation does not have, for the log. */
  ignoredParameters: string | undefined

  // The answer, for the observer: `send` and `reply` of this class, and `failures.ts`.
  /** The answer, if it was a text, and its length. Of a long one it is the beginning. */
  answer = ''
  answerBytes = 0
  /** Whether the answer is the stored one of an earlier request with the same Idempotency-Key. */
  isReplay = false
  failure: ApiError | undefined

  // What others have to give back when the exchange ends.
  /** `response-deadline.ts`: the number of its entry. */
  deadlineEntry: number | undefined
  /** `slots.ts`: the account whose slot of the concurrency limit it holds. */
  slotOf: number | undefined
  /** `body-budget.ts`: the bytes of its body that are held, and by which account. */
  heldBytes = 0
  heldBy: number | undefined
  /** `answer-budget.ts`: the bytes of its answer, if it is a long one. */
  heldAnswerBytes = 0

  /** Names and values alternate, as node expects them. */
  readonly #headers: string[]
  /** Whether the client waits for `100 Continue` before it sends the body. */
  #expectsContinue: boolean

  constructor(request: IncomingMessage, response: ServerResponse, options: ExchangeOptions, expectsContinue: boolean) {
    this.#options = options
    this.request = request
    this.response = response
    this.connection = connectionOf(request.socket)
    this.#headers = ['request-id', this.id]
    this.#expectsContinue = expectsContinue
  }

  /**
   * Counts bytes of the body that are held until the exchange ends. Throws when this server holds too many, and after the end:
   * nothing would give them back.
   */
  holdBytes(bytes: number): void {
    if (this.response.closed) throw errors.requestTimeout()
    this.#options.bodies.take(this, bytes)
  }

  get method(): string {
    return this.request.method as string
  }

  get url(): string {
    return this.request.url as string
  }

  /** Empty for a success. */
  get failureCode(): string {
    return this.failure?.code ?? ''
  }

  get elapsedMs(): number {
    return performance.now() - this.startedAt
  }

  setHeaders(headers: ReplyHeaders): void {
    for (const name in headers) {
      const value = headers[name] as string | readonly string[]
      if (typeof value === 'string') this.#headers.push(name, value)
      else for (const one of value) this.#headers.push(name, one)
    }
  }

  /** Changes headers that were set before. */
  replaceHeaders(headers: Readonly<Record<string, string>>): void {
    this.#headers.forEach((name, index, all) => {
      const value = index % 2 === 0 ? headers[name] : undefined
      if (value !== undefined) all[index + 1] = value
    })
  }

  /** Gives the headers that were set to the response, for an answer that `send` and `reply` do not send, such as a file. */
  handHeaders(): void {
    for (let index = 0; index < this.#headers.length; index += 2)
      this.response.setHeader(this.#headers[index] as string, this.#headers[index + 1] as string)
  }

  /**
   * Only the first answer is sent. Later ones, and those after a disconnect, are dropped. Throws when clients have left too
   * many bytes of long answers unread.
   */
  send(status: number, contentType: string, text: string, packed?: Packed): void {
    const { response } = this
    if (response.headersSent || response.destroyed) return
    const bytes = Buffer.byteLength(text)
    const isLong = bytes >= tuning.longAnswerBytes
    if (isLong) this.#options.answers.take(this, packed?.bytes.length ?? bytes, this.method === 'GET')
    this.#headers.push('content-type', contentType, 'content-length', String(packed?.bytes.length ?? bytes))
    if (packed) this.#headers.push('content-encoding', packed.encoding)
    response.writeHead(status, this.#headers)
    // A text with as many bytes as characters is ASCII and needs no encoding.
    const encoding = bytes === text.length ? 'latin1' : 'utf8'
    this.answer = isLong ? beginningOf(text, encoding) : text
    this.answerBytes = bytes
    const body = packed?.bytes ?? text
    if (this.request.method === 'HEAD') response.end()
    else if (!this.request.complete) this.#sendEarly(body, encoding)
    else {
      if (isLong) holdHeaders(response)
      response.end(body, encoding)
    }
    // Disconnects a client that does not read. A timer for every answer took 4 µs each, and most answers are sent at once.
    const { socket } = this.request
    if (socket.writableLength > 0) socket.setTimeout(this.#options.silenceMs)
  }

  /** The answer is ready before the body was received: it is sent now, and ends when the rest of the body has been dropped. */
  #sendEarly(body: string | Buffer, encoding: 'latin1' | 'utf8'): void {
    const { request, response } = this
    response.write(body, encoding)
    discardBody(request, (isComplete) => {
      response.end()
      if (!isComplete) request.socket.destroySoon()
    })
  }

  /** Sends `100 Continue` to a client that waits for it before it sends the body. */
  askForBody(): void {
    if (!this.#expectsContinue) return
    this.#expectsContinue = false
    this.response.writeContinue()
  }

  /** Sends what a handler answered beyond JSON text. */
  async reply(
    { status = 200, headers, contentType = JSON_TYPE, body, isEndless, isReplay }: Reply,
    compression?: Compression,
  ): Promise<void> {
    if (headers) this.setHeaders(headers)
    if (isReplay) {
      this.isReplay = true
      this.#headers.push('idempotent-replayed', 'true')
    }
    if (typeof body === 'string') this.send(status, contentType, body, await compression?.pack(this.request, body))
    else await this.#stream(status, contentType, body, isEndless === true)
  }

  async #stream(status: number, contentType: string, body: Exclude<Reply['body'], string>, isEndless: boolean) {
    const { response, request } = this
    if (response.headersSent || response.destroyed) return
    if (!isEndless) this.#options.streams.take(this)
    this.#headers.push('content-type', contentType)
    response.writeHead(status, this.#headers)
    if (request.method === 'HEAD') return void response.end()
    const { endless, silenceMs } = this.#options
    if (isEndless) endless.add(response.once('close', () => endless.delete(response)))
    // Sends the headers at once, before the first chunk.
    response.flushHeaders()
    if (typeof body === 'function') return body(new ResponseSink(response, silenceMs))
    request.socket.setTimeout(silenceMs)
    await pipeline(Readable.from(body), response)
  }

  /** Aborted when the connection closes or the answer is sent. */
  signal(): AbortSignal {
    const controller = new AbortController()
    this.response.once('close', () => controller.abort())
    if (this.response.closed) controller.abort()
    return controller.signal
  }
}

const NO_PARAMS: Record<string, string> = {}

/** Otherwise node makes one text of the headers and the answer. They are sent together with it. */
function holdHeaders(response: ServerResponse): void {
  response.cork()
  response.flushHeaders()
}

/** How much of a body an observer gets at most. */
export const OBSERVED_CHARACTERS = 16 * 1024

/** A copy: a slice would keep the whole text in memory. */
function beginningOf(text: string, encoding: 'latin1' | 'utf8'): string {
  return Buffer.from(text.slice(0, OBSERVED_CHARACTERS), encoding).toString(encoding)
}
