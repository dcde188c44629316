import { type ApiError, errors } from '../errors.ts'
import { contentWork } from './change.ts'
import { findGuidance, type GuidanceChange, type GuidanceRow, updateGuidance } from './guidance-queries.ts'
import { findContent, updateAddress } from './queries.ts'

/** Turns all content of an environment off or on, sets its quiet period, and who may publish. */
export const changeGuidance = contentWork(async (change, job: GuidanceChange): Promise<GuidanceRow | ApiError> => {
  const { db, environmentId, origin, at } = change
  const refusal = await change.refusal()
  if (refusal) return refusal
  await updateGuidance(db, environmentId, job, origin.actor.name, at)
  await change.raise()
  const action =
    job.isOff === undefined ? 'guidance.changed' : job.isOff ? 'guidance.switched_off' : 'guidance.switched_on'
  await change.note(action, { id: String(environmentId), name: origin.environment }, { after: job })
  return (await findGuidance(db, environmentId)) as GuidanceRow
})

/** Where the dashboard opens the application to pick targets and to preview. */
export const changeAddresses = contentWork(
  async (change, { id, address }: { id: string; address: string | null }): Promise<true | ApiError> => {
    const refusal = await change.refusal(false)
    if (refusal) return refusal
    const content = await findContent(change.db, change.environmentId, id)
    if (!content) return errors.notFound('Content', id)
    await updateAddress(change.db, change.environmentId, id, address)
    await change.note('content.address_changed', { id, name: content.name }, { after: { address } })
    return true
  },
)
