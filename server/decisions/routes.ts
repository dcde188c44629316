import type { ApiHandlers } from '../api.ts'
import { isoTime } from '../clock.ts'
import { notAMember } from '../memberships/current-groups.ts'
import type { GuidanceCounts } from '../metrics/guidance.ts'
import { decidedText } from './compiled-content.ts'
import type { Receipt } from './decide.ts'
import type { Decisions } from './decisions.ts'
import type { GateCode } from './gates.ts'

export function decisionHandlers(decisions: Decisions, counts: Pick<GuidanceCounts, 'decided'>) {
  return {
    decide: async ({ grant: { environmentId }, body }) => {
      const { user_id, group_id, content, receipts } = body
      const call = { userId: user_id, groupId: group_id ?? undefined, content: content ?? undefined }
      const found = await decisions.decide(environmentId, { ...call, hasReceipts: receipts ?? false })
      counts.decided(found.content.length > 0)
      const decided = found.content.map(decidedText).join()
      const rest = JSON.stringify({
        group_id: found.groupId,
        group_problem: found.foreignGroup === undefined ? undefined : notAMember(found.foreignGroup),
        reason: found.isUserKnown ? undefined : ('user_unknown' satisfies GateCode),
        receipts: receipts ? found.receipts.map(receiptObject) : undefined,
        user_id,
      })
      return `{"object":"decision","content":[${decided}],${rest.slice(1)}`
    },
  } satisfies Partial<ApiHandlers>
}

/** With times as in the rest of the API. */
export function receiptObject({ gates, ...receipt }: Receipt): object {
  return { ...receipt, gates: gates.map(({ at, ...gate }) => (at === undefined ? gate : { ...gate, at: isoTime(at) })) }
}
