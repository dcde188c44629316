/**
 * The life of a delivery: one notification for one subscription, one row of webhook_deliveries.
 *
 *              ┌────────────── release ──────────────┐
 *              ▼                                     │
 *   create ▶ WAITING ──── claim ────▶ SENDING ── deliver, giveUp, drop ──▶ GONE
 *                                     ▲  │  │
 *            RETRYING ──── claim ─────┤  │  └─── hold ───▶ HELD
 *              ▲                      │  │                  │
 *              └── retry, releaseRetry ──┘      └── claim ──┘
 *
 * | transition   | who                        | when                                      | columns                     |
 * | ------------ | -------------------------- | ----------------------------------------- | --------------------------- |
 * | create       | outbox/, in the write's    | a write matches a subscription; a replay, | due_at = now, attempt = 0,  |
 * |              | transaction; retry.ts,     | a test, a retry of a finished delivery    | expires_at = now + 72 h     |
 * |              | replay.ts and              |                                           |                             |
 * |              | test-notification.ts       |                                           |                             |
 * | claim        | claimer.ts                 | due_at has come and the endpoint has room | lease_id, due_at = end of   |
 * |              |                            | (endpoint.ts). RETRYING also earlier,     | the lease                   |
 * |              |                            | after the endpoint recovered              |                             |
 * |              |                            | (pull-forward.ts). SENDING when its lease |                             |
 * |              |                            | has run out: its process is dead          |                             |
 * | deliver      | dispatcher.ts              | the receiver answered 2xx                 | row deleted, attempt logged |
 * | retry        | dispatcher.ts              | the attempt failed, and another one fits  | attempt + 1, attempted_at,  |
 * |              |                            | before expires_at                         | due_at by schedule.ts,      |
 * |              |                            |                                           | lease_id = null; logged     |
 * | hold         | dispatcher.ts              | the same, and the receiver said           | the same, due_at no earlier |
 * |              |                            | Retry-After                               | than it asked for           |
 * | giveUp       | dispatcher.ts              | the attempt failed, and no other one fits | row deleted, attempt logged |
 * | release      | dispatcher.ts, claimer.ts  | claimed and not sent, without an attempt  | due_at = now,               |
 * |              |                            | so far: see below                         | lease_id = null             |
 * | releaseRetry | the same                   | the same, after attempts                  | the same                    |
 * | drop         | claimer.ts                 | its notification is gone, expires_at has  | row deleted                 |
 * |              |                            | passed (the endpoint was disabled), or    |                             |
 * |              |                            | its topic is not subscribed any more      |                             |
 *
 * A claimed delivery is not sent when it has been in its queue for over 250 ms, when its subscription has changed, when its
 * endpoint is probed (three failures in a row), and when the process stops: its claimed data may be outdated by then. Nor is
 * it sent when its notification could not be read, or when there is no memory for its body (body-memory.ts).
 *
 * Outside of these: the deletion of a user or a group deletes the rows of its notifications (deletions/notifications.ts), the deletion of
 * a subscription leaves rows that the claimer removes, the hourly maintenance removes expired rows (retention.ts), and a retry
 * by an operator makes HELD RETRYING and due at once (retry.ts), before all others and whatever the room (due-times.ts).
 */

/** Waits for its first attempt. */
export const WAITING = 0
/** Waits for another attempt. */
export const RETRYING = 1
/** Waits for another attempt, no earlier than the receiver asked for. It is not pulled forward when others succeed. */
export const HELD = 2
/** Leased by a process, which sends it. */
export const SENDING = 3
/** The row is deleted. */
const GONE = undefined

/** As it is stored, in `webhook_deliveries.state`. */
export type DeliveryState = typeof WAITING | typeof RETRYING | typeof HELD | typeof SENDING

interface Change {
  from: readonly DeliveryState[]
  to: DeliveryState | typeof GONE
}

export const TRANSITIONS = {
  create: { from: [], to: WAITING },
  claim: { from: [WAITING, RETRYING, HELD, SENDING], to: SENDING },
  deliver: { from: [SENDING], to: GONE },
  retry: { from: [SENDING], to: RETRYING },
  hold: { from: [SENDING], to: HELD },
  giveUp: { from: [SENDING], to: GONE },
  release: { from: [SENDING], to: WAITING },
  releaseRetry: { from: [SENDING], to: RETRYING },
  drop: { from: [SENDING], to: GONE },
} as const satisfies Record<string, Change>

type TransitionTo<To> = {
  [Name in keyof typeof TRANSITIONS]: (typeof TRANSITIONS)[Name]['to'] extends To ? Name : never
}[keyof typeof TRANSITIONS]

/** How a lease ends: the row is deleted, or it waits until a time. */
export type LeaseEnd =
  | { transition: TransitionTo<typeof GONE> }
  | { transition: 'retry' | 'hold' | 'release' | 'releaseRetry'; dueAt: string }
