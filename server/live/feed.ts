import type { LiveRequest } from '../../contract/dashboard/live.ts'
import type { EnvironmentId } from '../database/database.ts'
import type { LiveRecord } from './record.ts'
import { Ring } from './ring.ts'

/** The most environments whose requests one node keeps. The least recently used one is dropped. */
const MOST_RINGS = 100

/** Receives requests when they end. */
export interface FeedListener {
  add(environmentId: EnvironmentId, request: LiveRequest): void
  leaveOut(environmentId: EnvironmentId, count: number): void
}

/** The latest requests of this node, and their listeners. */
export class LiveFeed {
  readonly #rings = new Map<EnvironmentId, Ring>()
  readonly #listeners = new Set<FeedListener>()

  add(environmentId: EnvironmentId, record: LiveRecord): void {
    const ring = this.#rings.get(environmentId) ?? new Ring()
    ring.add(record)
    this.#rings.delete(environmentId)
    this.#rings.set(environmentId, ring)
    if (this.#rings.size > MOST_RINGS) this.#rings.delete(this.#rings.keys().next().value as EnvironmentId)
    for (const listener of this.#listeners) listener.add(environmentId, record.request)
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
