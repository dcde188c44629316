import type { EnvironmentId } from '../../database/database.ts'
import { EndpointState } from './endpoint.ts'

/** The state of an endpoint that was not used for this long is dropped. */
const FORGET_MS = 3_600_000

const NONE: ReadonlyMap<string, EndpointState> = new Map()

/** The endpoints that this process has had deliveries for, by environment and subscription. */
export class Endpoints {
  readonly #endpoints = new Map<EnvironmentId, Map<string, EndpointState>>()

  of(environmentId: EnvironmentId): IteratorObject<EndpointState> {
    return (this.#endpoints.get(environmentId) ?? NONE).values()
  }

  find(environmentId: EnvironmentId, subscriptionId: string): EndpointState | undefined {
    return this.#endpoints.get(environmentId)?.get(subscriptionId)
  }

  findOrAdd(environmentId: EnvironmentId, subscriptionId: string, nowMs: number): EndpointState {
    const endpoints = this.#endpoints.get(environmentId) ?? new Map<string, EndpointState>()
    this.#endpoints.set(environmentId, endpoints)
    const endpoint = endpoints.get(subscriptionId) ?? new EndpointState(subscriptionId, nowMs)
    endpoints.set(subscriptionId, endpoint)
    return endpoint
  }

  environmentsWithDue(nowMs: number): EnvironmentId[] {
    return [...this.#endpoints.keys()].filter((id) => this.of(id).some((endpoint) => endpoint.hasDue(nowMs)))
  }

  /** Whether more can be claimed of the environment. */
  hasRoom(environmentId: EnvironmentId, nowMs: number): boolean {
    return this.of(environmentId).some((endpoint) => endpoint.canClaim(nowMs))
  }

  *all(): Generator<EndpointState> {
    for (const endpoints of this.#endpoints.values()) yield* endpoints.values()
  }

  forgetIdle(nowMs: number): void {
    for (const [environmentId, endpoints] of this.#endpoints) {
      for (const endpoint of endpoints.values()) {
        const isBusy = endpoint.inFlight > 0 || endpoint.queue.length > 0 || endpoint.hasDue(nowMs)
        if (!isBusy && nowMs - endpoint.lastUsedMs > FORGET_MS) endpoints.delete(endpoint.subscriptionId)
      }
      if (endpoints.size === 0) this.#endpoints.delete(environmentId)
    }
  }
}
