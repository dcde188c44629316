import { TEST_TOPIC, topicMatches } from '../../../contract/topics.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { newId } from '../../ids.ts'
import type { Log } from '../../log.ts'
import type { SharedSecrets } from '../../secrets/shared-secrets.ts'
import { openSecrets, placeOf } from '../../subscriptions/secrets.ts'
import type { BodyMemory } from './body-memory.ts'
import {
  type ClaimedRow,
  type ClaimRequest,
  claimDeliveries,
  type FoundNotification,
  findNotifications,
} from './claim-queries.ts'
import { bringBackDeliveries, deleteOrphans, findEarliest } from './due-queries.ts'
import { AT_ONCE, dueUntilMs, isAtOnce, isTooFarAhead, releaseEnd } from './due-times.ts'
import type { ClaimQuota, EndpointState } from './endpoint.ts'
import type { Endpoints } from './endpoints.ts'
import { MessageBodies } from './message.ts'
import type { OutcomeWriter } from './outcome-writer.ts'
import type { RoundTimer } from './round-timer.ts'
import type { DeliveryState, LeaseEnd } from './states.ts'
import { DeliveryStatistics } from './statistics.ts'

const ORPHANS_AT_ONCE = 5_000
const BROUGHT_BACK_AT_ONCE = 5_000

export interface ClaimerOptions {
  database: Database
  log: Log
  endpoints: Endpoints
  memory: BodyMemory
  timer: RoundTimer
  outcomes: OutcomeWriter
  secrets: SharedSecrets
  leaseMs: number
  now: () => number
  /** For how much longer than its window a delivery is kept: see `DatabaseClock.doubtedMs`. */
  doubtedMs: () => number
}

interface Claimed {
  environmentId: EnvironmentId
  rows: readonly ClaimedRow[]
  leaseId: string
  claimedAtMs: number
  /** The changes of the endpoints before the claim. */
  changes: ReadonlyMap<EndpointState, number>
}

/** Finds the due deliveries of an environment, and leases as many as the endpoints have room for. */
export class Claimer {
  readonly #options: ClaimerOptions
  readonly #statistics: DeliveryStatistics
  /** Deliveries of this process's rounds that were due too far ahead. */
  broughtBack = 0

  constructor(options: ClaimerOptions) {
    this.#options = options
    this.#statistics = new DeliveryStatistics(options.database)
  }

  /** Records for each endpoint what is due, and for the environment when the next delivery is due. */
  async check(environmentId: EnvironmentId): Promise<void> {
    const { database, endpoints, timer, now } = this.#options
    const rows = await findEarliest(database, environmentId)
    const nowMs = now()
    const orphans = new Set<string>()
    let isWrong = false
    for (const row of rows) {
      const dueMs = Date.parse(row.due_at)
      if (row.disabled === null) orphans.add(row.subscription_id)
      else if (row.disabled) endpoints.find(environmentId, row.subscription_id)?.forgetDue()
      else if (isTooFarAhead(row.state, dueMs, nowMs)) isWrong = true
      else if (dueMs > dueUntilMs(row.state, nowMs)) timer.checkAt(environmentId, dueMs)
      else endpoints.findOrAdd(environmentId, row.subscription_id, nowMs).noteDue(row.state, isAtOnce(row.due_at))
    }
    for (const subscriptionId of orphans) await this.#deleteOrphans(environmentId, subscriptionId)
    if (isWrong) await this.bringBack(environmentId)
  }

  /** A wrong clock has written when they are due: they would wait until the right one comes to that time. */
  async bringBack(environmentId: EnvironmentId): Promise<void> {
    const { database, log, timer, now } = this.#options
    const deliveries = await bringBackDeliveries(database, environmentId, now(), BROUGHT_BACK_AT_ONCE)
    if (deliveries === 0) return
    this.broughtBack += deliveries
    log.warn({ environmentId, deliveries }, 'a clock was wrong when these deliveries were stored; they are due now')
    timer.checkAt(environmentId, now())
  }

  async #deleteOrphans(environmentId: EnvironmentId, subscriptionId: string): Promise<void> {
    const { database, timer, now } = this.#options
    const deleted = await deleteOrphans(database, environmentId, subscriptionId, ORPHANS_AT_ONCE)
    if (deleted === ORPHANS_AT_ONCE) timer.checkAt(environmentId, now())
  }

  /** Puts leased deliveries into the queues of their endpoints, and returns these endpoints. */
  async claim(environmentId: EnvironmentId, most: number): Promise<Set<EndpointState>> {
    const { memory } = this.#options
    const mostBytes = memory.reserve(environmentId)
    try {
      return await this.#claim(environmentId, most, mostBytes)
    } finally {
      memory.giveBack(environmentId, mostBytes)
    }
  }

  async #claim(environmentId: EnvironmentId, most: number, mostBytes: number): Promise<Set<EndpointState>> {
    const { database, leaseMs, now } = this.#options
    const nowMs = now()
    const quotas = this.#quotas(environmentId, nowMs, most, mostBytes)
    if (quotas.length === 0) return new Set()
    const lease = { id: newId(), until: new Date(nowMs + leaseMs).toISOString() }
    const requests = quotas.map((quota) => request(quota, nowMs))
    const changes = new Map(quotas.map(({ endpoint }) => [endpoint, endpoint.changes]))
    const rows = await claimDeliveries(database, environmentId, requests, lease)
    await this.#statistics.check(rows.length)
    noteClaimed(quotas, rows)
    if (rows.length === 0) return new Set()
    const claimed = { environmentId, rows, leaseId: lease.id, claimedAtMs: nowMs, changes }
    return this.#enqueue(claimed, await this.#readNotifications(claimed, mostBytes))
  }

  /** When they cannot be read, the deliveries are released: they do not wait for the end of the lease. */
  async #readNotifications(claimed: Claimed, mostBytes: number) {
    const { environmentId, rows } = claimed
    const ids = [...new Set(rows.map((row) => row.notification_id))]
    try {
      return await findNotifications(this.#options.database, environmentId, ids, mostBytes)
    } catch (error) {
      for (const row of rows) this.#release(claimed, row)
      throw error
    }
  }

  /**
   * Every endpoint gets the same share of a claim and of its memory, so that one deep backlog does not take all of it. The
   * endpoints that have waited longest come first: the memory may not last for all.
   */
  #quotas(environmentId: EnvironmentId, nowMs: number, most: number, mostBytes: number): ClaimQuota[] {
    const { endpoints, memory, timer } = this.#options
    const due = [...endpoints.of(environmentId)].filter((endpoint) => endpoint.hasDue(nowMs))
    const share = Math.max(1, Math.ceil(most / Math.max(1, due.length)))
    const shareOfBytes = mostBytes / Math.max(1, due.length)
    let bytesLeft = mostBytes
    return due
      .toSorted((one, other) => one.lastUsedMs - other.lastUsedMs)
      .flatMap((endpoint) => {
        timer.checkAt(environmentId, endpoint.nextChangeMs(nowMs))
        const fitting = bytesLeft > 0 ? Math.max(1, Math.floor(shareOfBytes / endpoint.meanBytes)) : 0
        const quotas = fitting > 0 ? endpoint.quotas(nowMs, Math.min(share, fitting)) : []
        const taken = quotas.reduce((sum, { count }) => sum + count, 0)
        bytesLeft -= taken * endpoint.meanBytes
        if (taken === fitting && fitting < share) memory.noteShort(environmentId)
        return quotas
      })
  }

  #enqueue(claimed: Claimed, notifications: readonly FoundNotification[]): Set<EndpointState> {
    const { environmentId, rows, leaseId, claimedAtMs, changes } = claimed
    const filled = new Set<EndpointState>()
    const doubtedMs = this.#options.doubtedMs()
    const queuedAtMs = this.#options.now()
    const found = new Map(notifications.map((notification) => [notification.id, notification]))
    const bodies = new MessageBodies()
    // Opened once for all deliveries of a subscription.
    const opened = new Map<string, string[] | undefined>()
    const secretsOf = (row: ClaimedRow) => {
      const { subscription_id: id } = row
      if (!opened.has(id)) opened.set(id, this.#openSecrets(environmentId, row, claimedAtMs))
      return opened.get(id)
    }
    for (const row of rows) {
      const notification = found.get(row.notification_id)
      const expiresAtMs = Date.parse(row.expires_at) + doubtedMs
      if (!notification || !isWanted(notification.topic, row.topics) || expiresAtMs <= claimedAtMs) {
        // Its notification was deleted, its window ended while its subscription was disabled, or the subscription does not
        // ask for its topic any more.
        this.#endLease(claimed, row, { transition: 'drop' })
        continue
      }
      const { object } = notification
      if (object === null) {
        this.#release(claimed, row)
        continue
      }
      const secrets = secretsOf(row)
      if (!secrets) continue
      const endpoint = this.#options.endpoints.findOrAdd(environmentId, row.subscription_id, claimedAtMs)
      const body = bodies.get({ ...notification, object }, row.api_version)
      this.#options.memory.hold(environmentId, body)
      endpoint.enqueue({
        ...{ leaseId, claimedAtMs, queuedAtMs, changes: changes.get(endpoint) ?? endpoint.changes },
        environmentId,
        notificationId: row.notification_id,
        subscriptionId: row.subscription_id,
        attempts: row.attempt,
        expiresAtMs,
        url: row.url,
        secrets,
        apiVersion: row.api_version,
        body,
        isAtOnce: isAtOnce(row.due_at),
      })
      filled.add(endpoint)
    }
    return filled
  }

  /**
   * Undefined when they cannot be opened: with a key that this node does not have. The others of the claim are sent. These
   * are tried again when their lease has run out, by a node that has the key perhaps, and their endpoint is probed.
   */
  #openSecrets(environmentId: EnvironmentId, row: ClaimedRow, nowMs: number): string[] | undefined {
    const { secrets, endpoints, log } = this.#options
    const { subscription_id: subscription } = row
    try {
      return openSecrets(secrets, placeOf(environmentId, subscription), row, nowMs)
    } catch (error) {
      log.error({ err: error, environmentId, subscription }, 'the secrets of a webhook endpoint cannot be opened')
      endpoints.findOrAdd(environmentId, subscription, nowMs).onFailure(nowMs)
      return undefined
    }
  }

  /** It is due again at once. */
  #release(claimed: Claimed, row: ClaimedRow): void {
    const delivery = { attempts: row.attempt, isAtOnce: isAtOnce(row.due_at) }
    this.#endLease(claimed, row, releaseEnd(delivery, this.#options.now()))
  }

  /** Without an attempt. */
  #endLease({ environmentId, leaseId }: Claimed, row: ClaimedRow, end: LeaseEnd): void {
    this.#options.outcomes.add(environmentId, {
      notificationId: row.notification_id,
      subscriptionId: row.subscription_id,
      leaseId,
      attempts: row.attempt,
      end,
      attempt: undefined,
    })
  }
}

/** The topics of this moment count, as the URL of this moment does. */
function isWanted(topic: string, topics: readonly string[]): boolean {
  return topic === TEST_TOPIC || topics.some((subscribed) => topicMatches(subscribed, topic))
}

function request({ endpoint, state, count, ...quota }: ClaimQuota, nowMs: number): ClaimRequest {
  const { subscriptionId } = endpoint
  if (quota.isAtOnce) return { subscriptionId, state, count, dueBefore: AT_ONCE, attemptedBefore: 'infinity' }
  const { attemptedBeforeMs } = quota
  const isPulledForward = attemptedBeforeMs !== undefined
  return {
    subscriptionId,
    state,
    count,
    dueBefore: isPulledForward ? 'infinity' : new Date(dueUntilMs(state, nowMs)).toISOString(),
    attemptedBefore: isPulledForward ? new Date(attemptedBeforeMs).toISOString() : 'infinity',
  }
}

function noteClaimed(quotas: readonly ClaimQuota[], rows: readonly ClaimedRow[]): void {
  const found = new Map<string, number>()
  const key = (subscriptionId: string, state: DeliveryState) => `${subscriptionId} ${state}`
  for (const row of rows) {
    const own = key(row.subscription_id, row.state)
    found.set(own, (found.get(own) ?? 0) + 1)
  }
  for (const quota of quotas) {
    quota.endpoint.onClaimed(quota, found.get(key(quota.endpoint.subscriptionId, quota.state)) ?? 0)
  }
}
