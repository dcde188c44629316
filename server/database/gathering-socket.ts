import { Socket } from 'node:net'

/**
 * A socket that sends what is written in one turn of the event loop in one piece. A batch is four or five pipelined
 * statements of five messages each, and the driver writes every message by itself: gathered, they cost one system call
 * instead of five. Measured with 64 connections: 24 µs of CPU per request went into these writes before.
 */
export class GatheringSocket extends Socket {
  #waiting: Uint8Array[] = []

  override write(chunk: Uint8Array | string, encoding?: unknown, callback?: unknown): boolean {
    if (typeof chunk === 'string' || encoding !== undefined || callback !== undefined) {
      this.#send()
      return super.write(chunk, encoding as BufferEncoding, callback as () => void)
    }
    if (this.#waiting.length === 0) process.nextTick(() => this.#send())
    this.#waiting.push(chunk)
    return true
  }

  #send(): void {
    const waiting = this.#waiting
    if (waiting.length === 0) return
    this.#waiting = []
    super.write(waiting.length === 1 ? (waiting[0] as Uint8Array) : Buffer.concat(waiting))
  }
}
