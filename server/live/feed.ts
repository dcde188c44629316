import type { LiveRequest } from '../../contract/dashboard/live.ts'
import type { EnvironmentId } from '../database/database.ts'
import type { LiveRecord } from './record.ts'
import { Ring } from './ring.ts'

/** The most environments whose requests one node keeps. The least recently used one is dropped. */
const MOST_RINGS = 100
/** Of all of them. Each may have 4 Mi characters: a hundred environments with large bodies would take 400 MB. */
const MOST_CHARACTERS = 32 * 1024 * 1024

/** Receives requests when they end. */
export interface FeedListener {
  add(environmentId: EnvironmentId, request: LiveRequest): void
  leaveOut(environmentId: EnvironmentId, count: number): void
}

/** The latest requests of this node, and their listeners. */
export class LiveFeed {
  readonly #rings = new Map<EnvironmentId, Ring>()
  readonly #listeners = new Set<FeedListener>()
  #characters = 0
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  add(environmentId: EnvironmentId, record: LiveRecord): void {
    const ring = this.#rings.get(environmentId) ?? new Ring(this.#now)
    const before = ring.characters
    ring.add(record)
    this.#characters += ring.characters - before
    this.#rings.delete(environmentId)
    this.#rings.set(environmentId, ring)
    this.#dropLeastUsed()
    for (const listener of this.#listeners) listener.add(environmentId, record.request)
  }

  #dropLeastUsed(): void {
    for (const [environmentId, { characters }] of this.#rings) {
      if (this.#rings.size <= MOST_RINGS && this.#characters <= MOST_CHARACTERS) return
      this.#rings.delete(environmentId)
      this.#characters -= characters
    }
  }

  leaveOut(environmentId: EnvironmentId): void {
    for (const listener of this.#listeners) listener.leaveOut(environmentId, 1)
  }

  latest(environmentId: EnvironmentId, count: number): LiveRequest[] {
    return (this.#rings.get(environmentId)?.latest(count) ?? []).map(({ request }) => request)
  }

  find(environmentId: EnvironmentId, requestId: string): LiveRecord | undefined {
    return this.#rings.get(environmentId)?.find(requestId)
  }

  listen(listener: FeedListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}
