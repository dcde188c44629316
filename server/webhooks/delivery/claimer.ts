import type { Database, EnvironmentId } from '../../database/database.ts'
import { newId } from '../../ids.ts'
import type { Agenda } from './agenda.ts'
import { type Band, FRESH, RETRY } from './bands.ts'
import type { Lane, Wish } from './lane.ts'
import type { Lanes } from './lanes.ts'
import { MessageBodies } from './message.ts'
import {
  type Claimed,
  type ClaimedRow,
  type ClaimRequest,
  claimDeliveries,
  deleteOrphans,
  findHeads,
  findNotifications,
} from './queries.ts'
import type { Settlement } from './settle-queries.ts'

const ORPHANS_AT_ONCE = 5_000

export interface ClaimerOptions {
  database: Database
  lanes: Lanes
  agenda: Agenda
  leaseMs: number
  now: () => number
  settle: (environmentId: EnvironmentId, settlement: Settlement) => void
}

/** Finds out what is due in an environment, and takes as much of it as its lanes have room for. */
export class Claimer {
  readonly #options: ClaimerOptions

  constructor(options: ClaimerOptions) {
    this.#options = options
  }

  async look(environmentId: EnvironmentId): Promise<void> {
    const { database, lanes, agenda, now } = this.#options
    const heads = await findHeads(database, environmentId)
    const nowMs = now()
    const orphans = new Set<string>()
    for (const head of heads) {
      const dueMs = Date.parse(head.due_at)
      if (head.disabled === null) orphans.add(head.subscription_id)
      else if (head.disabled) lanes.find(environmentId, head.subscription_id)?.due.clear()
      else if (dueMs > nowMs) agenda.note(environmentId, dueMs)
      else lanes.open(environmentId, head.subscription_id, nowMs).due.add(head.band)
    }
    for (const subscriptionId of orphans) await this.#sweep(environmentId, subscriptionId)
  }

  async #sweep(environmentId: EnvironmentId, subscriptionId: string): Promise<void> {
    const { database, agenda, now } = this.#options
    const gone = await deleteOrphans(database, environmentId, subscriptionId, ORPHANS_AT_ONCE)
    if (gone === ORPHANS_AT_ONCE) agenda.note(environmentId, now())
  }

  /** Puts what it claims into the queues of the lanes, and returns these lanes. */
  async claim(environmentId: EnvironmentId, most: number): Promise<Set<Lane>> {
    const { database, leaseMs, now } = this.#options
    const nowMs = now()
    const wishes = this.#wishes(environmentId, nowMs, most)
    if (wishes.length === 0) return new Set()
    const lease = { id: newId(), until: new Date(nowMs + leaseMs).toISOString() }
    const requests = wishes.map((wish) => request(wish, nowMs))
    const rows = await claimDeliveries(database, environmentId, requests, lease)
    grant(wishes, rows)
    if (rows.length === 0) return new Set()
    const ids = [...new Set(rows.map((row) => row.notification_id))]
    const bodies = new MessageBodies(await findNotifications(database, environmentId, ids))
    return this.#enqueue(environmentId, rows, bodies, { leaseId: lease.id, claimedAtMs: nowMs })
  }

  /** Every lane gets the same share of a claim, so that one deep backlog does not take all of it. */
  #wishes(environmentId: EnvironmentId, nowMs: number, most: number): Wish[] {
    const { lanes, agenda } = this.#options
    const ready = [...lanes.of(environmentId)].filter((lane) => lane.hasWork(nowMs))
    const share = Math.max(1, Math.ceil(most / Math.max(1, ready.length)))
    return ready.flatMap((lane) => {
      agenda.note(environmentId, lane.nextChangeMs(nowMs))
      return lane.wishes(nowMs, share)
    })
  }

  #enqueue(
    environmentId: EnvironmentId,
    rows: readonly ClaimedRow[],
    bodies: MessageBodies,
    claim: { leaseId: string; claimedAtMs: number },
  ): Set<Lane> {
    const { lanes, settle } = this.#options
    const filled = new Set<Lane>()
    for (const row of rows) {
      const body = bodies.get(row.notification_id, row.api_version)
      const ids = { notificationId: row.notification_id, subscriptionId: row.subscription_id, leaseId: claim.leaseId }
      const expiresAtMs = Date.parse(row.expires_at)
      if (!body || expiresAtMs <= claim.claimedAtMs) {
        // Its object was deleted, or it was held back for longer than the window.
        settle(environmentId, { ...ids, attempts: row.attempt, next: undefined, attempt: undefined })
        continue
      }
      const { url, secret, api_version: apiVersion } = row
      const claimed: Claimed = {
        ...ids,
        environmentId,
        attempts: row.attempt,
        expiresAtMs,
        url,
        secret,
        apiVersion,
        body,
        claimedAtMs: claim.claimedAtMs,
      }
      const lane = lanes.open(environmentId, row.subscription_id, claim.claimedAtMs)
      lane.enqueue(claimed)
      filled.add(lane)
    }
    return filled
  }
}

function request({ lane, band, count, attemptedBeforeMs }: Wish, nowMs: number): ClaimRequest {
  const draining = attemptedBeforeMs !== undefined
  return {
    subscriptionId: lane.subscriptionId,
    band,
    count,
    dueBefore: draining ? 'infinity' : new Date(nowMs).toISOString(),
    attemptedBefore: draining ? new Date(attemptedBeforeMs).toISOString() : 'infinity',
  }
}

function grant(wishes: readonly Wish[], rows: readonly ClaimedRow[]): void {
  const found = new Map<string, number>()
  const key = (subscriptionId: string, band: Band) => `${subscriptionId} ${band}`
  for (const row of rows) {
    const own = key(row.subscription_id, row.band)
    found.set(own, (found.get(own) ?? 0) + 1)
  }
  for (const wish of wishes) wish.lane.granted(wish, found.get(key(wish.lane.subscriptionId, wish.band)) ?? 0)
}

/** Where a delivery waits that was claimed and not sent. */
export function bandOf(attempts: number): typeof FRESH | typeof RETRY {
  return attempts === 0 ? FRESH : RETRY
}
