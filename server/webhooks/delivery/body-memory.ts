import type { EnvironmentId } from '../../database/database.ts'

/** Endpoints that answer quickly need little of it: 128 deliveries of 1,000 bytes each. A body has 264 KB at most. */
const MOST_BYTES = 64 * 1024 * 1024

/**
 * The bodies of claimed deliveries in this process, and the bytes that they may take. An environment holds no more than what
 * it leaves free: alone it has half of the memory, and of two that want more each has a third. So a few that send large
 * bodies to slow receivers do not take all of it. An environment that holds nothing may always have one body.
 */
export class BodyMemory {
  readonly #mostBytes: number
  #bytes = 0
  readonly #bytesOf = new Map<EnvironmentId, number>()
  /** Deliveries of several subscriptions share a body. */
  readonly #holders = new Map<Buffer, number>()
  /** Environments that could claim more if there were memory. */
  readonly #short = new Set<EnvironmentId>()

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes
  }

  /** Takes what the environment may have until its bodies are read, and returns the bytes. `giveBack` is to follow. */
  reserve(environmentId: EnvironmentId): number {
    const own = this.#bytesOf.get(environmentId) ?? 0
    const bytes = Math.floor((this.#mostBytes - this.#bytes - own) / 2)
    const reserved = Math.max(own === 0 ? 1 : 0, bytes)
    this.#add(environmentId, reserved)
    return reserved
  }

  giveBack(environmentId: EnvironmentId, reserved: number): void {
    this.#add(environmentId, -reserved)
  }

  hold(environmentId: EnvironmentId, body: Buffer): void {
    const holders = this.#holders.get(body) ?? 0
    this.#holders.set(body, holders + 1)
    if (holders === 0) this.#add(environmentId, body.length)
  }

  release(environmentId: EnvironmentId, body: Buffer): void {
    const holders = (this.#holders.get(body) ?? 0) - 1
    if (holders > 0) this.#holders.set(body, holders)
    else if (this.#holders.delete(body)) this.#add(environmentId, -body.length)
  }

  noteShort(environmentId: EnvironmentId): void {
    this.#short.add(environmentId)
  }

  /** Whether the environment waits for memory: bodies are released later, its own at least. */
  isShort(environmentId: EnvironmentId): boolean {
    return this.#short.has(environmentId) && this.#bytesOf.has(environmentId)
  }

  /** Removes and returns the environments that wait for memory. */
  takeShort(): EnvironmentId[] {
    if (this.#short.size === 0) return []
    const short = [...this.#short]
    this.#short.clear()
    return short
  }

  #add(environmentId: EnvironmentId, bytes: number): void {
    const own = (this.#bytesOf.get(environmentId) ?? 0) + bytes
    this.#bytes += bytes
    if (own > 0) this.#bytesOf.set(environmentId, own)
    else this.#bytesOf.delete(environmentId)
  }
}
