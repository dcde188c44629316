import { SLOT_SECONDS } from '../../contract/sdk/protocol.ts'
import type { ClaimRow } from '../history/rows.ts'
import { isLive, type UserHistory } from '../history/user-history.ts'

/** What stands in a slot. */
export type InSlot = Pick<ClaimRow, 'type' | 'contentId'>

/** The claim that has the slot of this content: what it shows is visible, or is about to be. */
export function slotHolder(history: UserHistory, of: InSlot, now: number, except?: string): ClaimRow | undefined {
  return [...history.claims.values()].find(
    (claim) => isSameSlot(claim, of) && claim.id !== except && isLive(claim, now) && hasSlot(claim, now),
  )
}

/** Launchers do not block each other, so each has a slot of its own. */
export function isSameSlot(one: InSlot, other: InSlot): boolean {
  return one.type === other.type && (one.type !== 'launcher' || one.contentId === other.contentId)
}

/** A session that has been hidden for a while gives up its slot. One that was hidden "later than now" by a wrong clock has, too. */
export function hasSlot({ hiddenAt }: ClaimRow, now: number): boolean {
  return hiddenAt === null || Math.abs(now - hiddenAt) < SLOT_SECONDS * 1000
}
