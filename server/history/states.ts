import type { SessionState } from '../../contract/sdk/protocol.ts'

/**
 * The life of a claim, one row of content_claims, and of the session that it may become, one row of content_sessions with the
 * same id.
 *
 *   claim ▶ CLAIMED ── see ──▶ SHOWN ◀── show, hide ──▶ HIDDEN
 *              │                 ▲ └────── release ───────┤
 *              │                 │                        ▼
 *              │                 └────── resume ────── RELEASED
 *              └── drop ──▶ GONE ◀────── end ─────────────┘ (of any)
 *
 *   see ▶ ACTIVE ── complete ──▶ COMPLETED        ACTIVE ── dismiss ──▶ DISMISSED        ACTIVE ── stop ──▶ ENDED
 *
 * | transition | who                                   | when                                       | columns                        |
 * | ---------- | ------------------------------------- | ------------------------------------------ | ------------------------------ |
 * | claim      | sessions/claim.ts                     | all gates of a start are open              | a new row, lease_until         |
 * | see        | sessions/start.ts                     | the first step is reported seen            | the session; the receipt moves |
 * | hide, show | sessions/report-effects.ts            | reported                                   | hidden_at                      |
 * | resume     | sessions/claim.ts                     | the session is active and nobody holds it, | holder, epoch + 1, lease_until |
 * |            |                                       | or its holder asks for the slot again      | (a new row if there is none)   |
 * | release    | sessions/release.ts                   | its page is left                           | lease_until = now              |
 * | drop       | sessions/release.ts, the next claim   | never shown: left, or its lease is over    | row deleted                    |
 * | complete   | sessions/report-effects.ts            | reported, or the last task is completed    | completed_at                   |
 * | dismiss    | sessions/end.ts                       | the user ended it (`dismissals`)           | ended_at; the claim is deleted |
 * | stop       | sessions/end.ts                       | it ended for any other reason              | the same                       |
 *
 * A claim whose lease is over is EXPIRED, whatever its row says: nobody holds it. Nor does anybody hold one that is RELEASED. A
 * row of a session then only tells the last holder. Completed and ended are two facts: a completed session that ends stays COMPLETED.
 */

const claimStates = ['claimed', 'shown', 'hidden', 'released'] as const
/** As it is stored, in `content_claims.state`. */
export type ClaimState = (typeof claimStates)[number]

interface Change<State> {
  from: readonly State[]
  to: State
}

const CLAIM_TRANSITIONS = {
  see: { from: ['claimed'], to: 'shown' },
  hide: { from: ['shown', 'hidden'], to: 'hidden' },
  show: { from: ['shown', 'hidden'], to: 'shown' },
  resume: { from: ['shown', 'hidden', 'released'], to: 'shown' },
  release: { from: ['shown', 'hidden', 'released'], to: 'released' },
} as const satisfies Record<string, Change<ClaimState>>

const SESSION_TRANSITIONS = {
  complete: { from: ['active'], to: 'completed' },
  dismiss: { from: ['active'], to: 'dismissed' },
  stop: { from: ['active'], to: 'ended' },
} as const satisfies Record<string, Change<SessionState>>

/** The state after a transition; the same state when the transition does not lead on from it. */
export function claimAfter(state: ClaimState, transition: keyof typeof CLAIM_TRANSITIONS): ClaimState {
  const { from, to }: Change<ClaimState> = CLAIM_TRANSITIONS[transition]
  return from.includes(state) ? to : state
}

export function sessionAfter(state: SessionState, transition: keyof typeof SESSION_TRANSITIONS): SessionState {
  const { from, to }: Change<SessionState> = SESSION_TRANSITIONS[transition]
  return from.includes(state) ? to : state
}
