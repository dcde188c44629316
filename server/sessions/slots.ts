import type { ContentType } from '../../contract/content/document.ts'
import { SLOT_SECONDS } from '../../contract/sdk/protocol.ts'
import type { ClaimRow } from '../history/rows.ts'
import { isLive, type UserHistory } from '../history/user-history.ts'

/** The claim that has the slot of this type: what it shows is visible, or is about to be. Launchers do not block each other. */
export function slotHolder(
  history: UserHistory,
  type: ContentType,
  now: number,
  except?: string,
): ClaimRow | undefined {
  if (type === 'launcher') return undefined
  return [...history.claims.values()].find(
    (claim) => claim.type === type && claim.id !== except && isLive(claim, now) && hasSlot(claim, now),
  )
}

/** A session that has been hidden for a while gives up its slot. */
export function hasSlot({ hiddenAt }: ClaimRow, now: number): boolean {
  return hiddenAt === null || now < hiddenAt + SLOT_SECONDS * 1000
}
