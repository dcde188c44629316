import { backoffMs, isTemporary, MOST_RETRY_AFTER_MS, parseRetryAfter, wait } from './backoff.ts'
import { webCrypto } from './crypto.ts'
import { ApiError, apiError, ConnectionError, UsherError } from './errors.ts'
import type { RequestOptions, Settings } from './options.ts'
import { queryString } from './query.ts'
import type { WireAnswer, WireRequest } from './sender.ts'

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  /** By name, or as the server wrote it. */
  query?: object | string | undefined
  body?: unknown
  /** The JSON text, instead of `body`. */
  json?: string
}

/** Sends requests, and retries after temporary failures. */
export class Transport {
  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
  }

  async request<T>({ method, path, query, body, json = encode(body) }: Call, options: RequestOptions = {}): Promise<T> {
    const { maxRetries = this.#settings.maxRetries, signal } = options
    const request: WireRequest = {
      method,
      baseUrl: this.#settings.baseUrl,
      path: path + queryString(query),
      headers: this.#headers(json),
      body: json,
      timeoutMs: options.timeoutMs ?? this.#settings.timeoutMs,
      signal,
    }
    // The same key for every attempt, so that a write whose answer was lost is not carried out twice.
    if (method !== 'GET')
      request.headers['idempotency-key'] =
        options.idempotencyKey ?? (globalThis.crypto ?? (await webCrypto())).randomUUID()
    for (let attempt = 0; ; attempt += 1) {
      try {
        return (await this.#attempt(request)) as T
      } catch (error) {
        if (attempt >= maxRetries || !mayRetry(error) || signal?.aborted) throw error
        await wait(backoffMs(attempt, (error as Partial<ApiError>).retryAfterMs), signal)
      }
    }
  }

  #headers(json: string | undefined): Record<string, string> {
    const { headers } = this.#settings
    return json === undefined ? { ...headers } : { ...headers, 'content-type': 'application/json' }
  }

  async #attempt(request: WireRequest): Promise<unknown> {
    const { method, path, signal } = request
    signal?.throwIfAborted()
    let answer: WireAnswer
    try {
      answer = await this.#settings.send(request)
    } catch (error) {
      if (error instanceof UsherError || signal?.aborted) throw error
      throw new ConnectionError(`${method} ${path.split('?', 1)[0]}: ${reasonOf(error)}`, { cause: error })
    }
    return answer.status >= 200 && answer.status < 300 ? decode(answer, this.#settings.baseUrl) : fail(answer)
  }
}

function encode(body: unknown): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body)
}

function decode({ text }: WireAnswer, baseUrl: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsherError(`The answer of ${baseUrl} is not JSON: is there an Usher server at this address?`)
  }
}

function fail({ status, header, text }: WireAnswer): never {
  const error = errorOf(text)
  throw apiError({
    status,
    code: error.code ?? 'unknown',
    message: error.message ?? `The server answered ${status}.`,
    param: error.param,
    requestId: error.request_id ?? header('request-id') ?? undefined,
    docUrl: error.doc_url,
    retryAfterMs: parseRetryAfter(header('retry-after')),
  })
}

interface WireError {
  code?: string
  message?: string
  param?: string
  doc_url?: string
  request_id?: string
}

/** A proxy in front of the server may answer without JSON. */
function errorOf(text: string): WireError {
  try {
    return (JSON.parse(text) as { error?: WireError }).error ?? {}
  } catch {
    return {}
  }
}

function mayRetry(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  return error instanceof ApiError && isTemporary(error.status) && (error.retryAfterMs ?? 0) <= MOST_RETRY_AFTER_MS
}

interface Reason {
  message?: string
  code?: string
}

function reasonOf(error: unknown): string {
  const { message, code, cause } = error as Reason & { cause?: Reason }
  return cause?.message || cause?.code || message || code || String(error)
}
