import type { EnvironmentId } from '../../database/database.ts'
import { Lane } from './lane.ts'

/** A lane that has had nothing to do for this long is forgotten. */
const FORGET_MS = 3_600_000

/** The lanes of all subscriptions that this node has met. */
export class Lanes {
  readonly #lanes = new Map<EnvironmentId, Map<string, Lane>>()

  of(environmentId: EnvironmentId): Iterable<Lane> {
    return this.#lanes.get(environmentId)?.values() ?? []
  }

  find(environmentId: EnvironmentId, subscriptionId: string): Lane | undefined {
    return this.#lanes.get(environmentId)?.get(subscriptionId)
  }

  open(environmentId: EnvironmentId, subscriptionId: string, nowMs: number): Lane {
    const lanes = this.#lanes.get(environmentId) ?? new Map<string, Lane>()
    this.#lanes.set(environmentId, lanes)
    const lane = lanes.get(subscriptionId) ?? new Lane(subscriptionId, nowMs)
    lanes.set(subscriptionId, lane)
    return lane
  }

  environmentsWithWork(nowMs: number): EnvironmentId[] {
    return [...this.#lanes].filter(([, lanes]) => lanes.values().some((lane) => lane.hasWork(nowMs))).map(([id]) => id)
  }

  *all(): Generator<Lane> {
    for (const lanes of this.#lanes.values()) yield* lanes.values()
  }

  forgetIdle(nowMs: number): void {
    for (const [environmentId, lanes] of this.#lanes) {
      for (const lane of lanes.values()) {
        const busy = lane.inFlight > 0 || lane.queue.length > 0 || lane.hasWork(nowMs)
        if (!busy && nowMs - lane.lastUsedMs > FORGET_MS) lanes.delete(lane.subscriptionId)
      }
      if (lanes.size === 0) this.#lanes.delete(environmentId)
    }
  }
}
