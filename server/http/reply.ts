import type { MaybePromise } from '../maybe-promise.ts'

/** Names and values; a list is one header for each value, as `set-cookie` needs it. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>

/** An answer other than JSON text with status 200. For those, handlers return the text itself. */
export interface Reply {
  /** 200 when it is left out. */
  status?: number
  headers?: ReplyHeaders
  /** JSON when it is left out. */
  contentType?: string
  /** A text is sent at once. A stream is sent as fast as the client reads. A function gets a sink, and writes when it wants. */
  body: string | AsyncIterable<string | Uint8Array> | ((sink: PushSink) => void)
  /** The body ends only with the connection, as server-sent events do. A stop of the server does not wait for it. */
  isEndless?: boolean
  /** It is the stored answer of an earlier request with the same Idempotency-Key. A header says so. */
  isReplay?: boolean
}

/** An open answer. There may be many thousands of them, so each holds as little as possible. */
export interface PushSink {
  write(text: string): void
  /** The bytes that the client has not read yet. */
  readonly unread: number
  end(): void
  /** Without waiting for the client. */
  destroy(): void
  onClose(listener: () => void): void
}

export type Answer = MaybePromise<string | Reply>
