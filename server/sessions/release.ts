import { LEASE_SECONDS, type RenewAnswer } from '../../contract/sdk/protocol.ts'
import type { ClaimRow } from '../history/rows.ts'
import { claimAfter } from '../history/states.ts'
import { type Change, isLive } from '../history/user-history.ts'
import { leaseEnd } from './claim.ts'
import { hasSlot } from './slots.ts'

export interface HeldCall {
  readonly id: string
  readonly holder: string
  readonly epoch: number
}

export const NOT_HELD: RenewAnswer = { holder: false, slot: false, lease_seconds: 0 }

/** Holds a claim for another lease, while nobody else has it. A session whose lease is over is claimed again instead. */
export function renewLease(change: Change, call: HeldCall): RenewAnswer {
  const { history, now } = change
  const claim = heldClaim(change, call)
  if (!claim) return NOT_HELD
  history.claims.set(claim.id, { ...claim, leaseUntil: leaseEnd(now) })
  return { holder: true, slot: hasSlot(claim, now), lease_seconds: LEASE_SECONDS }
}

/** A page is left: another may go on at once. A claim that was never shown leaves no trace. */
export function releaseClaim(change: Change, call: HeldCall): void {
  const { history, now } = change
  const claim = heldClaim(change, call)
  if (!claim) return
  const released = { ...claim, state: claimAfter(claim.state, 'release'), leaseUntil: now }
  history.claims.set(claim.id, claim.state === 'claimed' ? undefined : released)
}

function heldClaim({ history, now }: Change, { id, holder, epoch }: HeldCall): ClaimRow | undefined {
  const claim = history.claims.get(id)
  return claim && claim.holder === holder && claim.epoch === epoch && isLive(claim, now) ? claim : undefined
}
