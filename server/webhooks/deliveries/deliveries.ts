import { type DeliveryStateName, deliveryStateNames, type WaitReason } from '../../../contract/deliveries.ts'
import type { EnvironmentId, Reader } from '../../database/database.ts'
import { timeOfId } from '../../ids.ts'
import { findPause } from '../pause.ts'
import { idsBetween } from './ids.ts'
import {
  type AttemptRow,
  type DeliveryRow,
  findEndpointFailures,
  findLastAttempts,
  type LastAttempt,
} from './queries.ts'
import { findShownDeliveries, rangeAfter } from './shown.ts'
import {
  finishedState,
  shownDueAt,
  storedStates,
  type UnfinishedDelivery,
  unfinishedState,
  waitReason,
} from './state.ts'

/** Deliveries as they are shown: by the API, the command line and the dashboard. Every statement reads indexes only. */
export interface DeliveryView {
  /** Of its notification; unique among the deliveries of a subscription. */
  notificationId: string
  /** Null when the notification is over 30 days old, or was deleted. */
  topic: string | null
  /** Whom it is about; null for a notification about nobody, or one that is gone. */
  userId: string | null
  groupId: string | null
  createdAt: string
  state: DeliveryStateName
  attempts: number
  lastAttempt: AttemptRow | undefined
  nextAttemptAt: string | null
  expiresAt: string | null
  /** Why it is not being sent right now; null when it is finished. */
  reason: WaitReason | null
}

export interface DeliveryFilter {
  states?: readonly DeliveryStateName[] | undefined
  since?: Date | undefined
  until?: Date | undefined
  /** The newest first, unless it is false. */
  descending?: boolean | undefined
  /** The notification that the page follows. */
  after?: string | undefined
  limit: number
}

export interface DeliveryPage {
  views: DeliveryView[]
  /** Set when the page ended early, with more to follow: the notification that the next page follows. */
  passedUntil: string | undefined
}

export interface SubscriptionState {
  id: string
  disabled: boolean
}

export async function listDeliveries(
  db: Reader,
  environmentId: EnvironmentId,
  subscription: SubscriptionState,
  { states = deliveryStateNames, since, until, descending = true, after, limit }: DeliveryFilter,
): Promise<DeliveryPage> {
  const whole = {
    states: storedStates(states, subscription.disabled),
    finished: [true, false].filter((isDelivered) => states.includes(finishedState(isDelivered))),
    ...idsBetween(since, until),
    descending,
    limit,
  }
  const range = after === undefined ? whole : rangeAfter(whole, after)
  const { rows, passedUntil } = await findShownDeliveries(db, environmentId, subscription.id, range)
  return { views: await viewsOf(db, environmentId, subscription, rows), passedUntil }
}

/** One delivery; undefined when there is none. */
export async function findDelivery(
  db: Reader,
  environmentId: EnvironmentId,
  subscription: SubscriptionState,
  notificationId: string,
): Promise<DeliveryView | undefined> {
  const range = {
    states: storedStates(deliveryStateNames, subscription.disabled),
    finished: [true, false],
    fromId: notificationId,
    toId: notificationId,
    descending: true,
    limit: 1,
  }
  const { rows } = await findShownDeliveries(db, environmentId, subscription.id, range)
  return (await viewsOf(db, environmentId, subscription, rows))[0]
}

async function viewsOf(
  db: Reader,
  environmentId: EnvironmentId,
  subscription: SubscriptionState,
  rows: readonly DeliveryRow[],
): Promise<DeliveryView[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ notification_id }) => notification_id)
  const [attempts, endpointFailures, pause] = await Promise.all([
    findLastAttempts(db, environmentId, subscription.id, ids),
    findEndpointFailures(db, environmentId, subscription.id),
    findPause(db),
  ])
  const lastAttempts = new Map(attempts.map((attempt) => [attempt.notification_id, attempt]))
  const endpoint = { disabled: subscription.disabled, endpointFailures, isPaused: pause !== undefined }
  return rows.map((row) => viewOf(row, lastAttempts.get(row.notification_id), endpoint))
}

function viewOf(
  row: DeliveryRow,
  lastAttempt: LastAttempt | undefined,
  endpoint: Pick<UnfinishedDelivery, 'disabled' | 'endpointFailures' | 'isPaused'>,
): DeliveryView {
  const shown = {
    notificationId: row.notification_id,
    topic: row.topic,
    userId: row.user_id,
    groupId: row.group_id,
    createdAt: row.created_at ?? new Date(timeOfId(row.notification_id)).toISOString(),
    // A delivery that is sent again counts from 0 for its schedule. Attempts are logged for 30 days.
    attempts: Math.max(row.attempts, lastAttempt?.made ?? 0),
    lastAttempt,
  }
  if (row.state === null || row.due_at === null) {
    const state = finishedState(lastAttempt?.failure === null)
    return { ...shown, state, nextAttemptAt: null, expiresAt: null, reason: null }
  }
  const nowMs = Date.now()
  const unfinished = { state: row.state, dueAt: row.due_at, ...endpoint }
  return {
    ...shown,
    state: unfinishedState(unfinished),
    nextAttemptAt: unfinishedState(unfinished) === 'sending' ? null : shownDueAt(row.due_at, nowMs),
    expiresAt: row.expires_at,
    reason: waitReason(unfinished, nowMs),
  }
}
