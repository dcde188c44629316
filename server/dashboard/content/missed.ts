import type { ContentDocument } from '../../../contract/content/document.ts'
import type { MissedTarget } from '../../../contract/dashboard/missed-target.ts'
import { LAUNCHER_STEP } from '../../../contract/sdk/protocol.ts'
import type { EnvironmentId, Reader } from '../../database/database.ts'
import { findMissedTargets } from '../../results/missed-targets.ts'

/** Of these versions, by their ids: the target that most tries of the last day did not find. */
export async function findMissed(
  db: Reader,
  id: EnvironmentId,
  documents: ReadonlyMap<string, ContentDocument>,
  now = Date.now(),
): Promise<ReadonlyMap<string, MissedTarget>> {
  const worst = new Map<string, MissedTarget>()
  for (const { versionId, ...missed } of await findMissedTargets(db, id, [...documents.keys()], now)) {
    const number = numberOf(documents.get(versionId), missed.step)
    if (number !== undefined && !worst.has(versionId)) worst.set(versionId, { ...missed, number })
  }
  return worst
}

/** From 1, and 0 of a launcher, which has no steps; undefined when there is no such step. */
function numberOf(document: ContentDocument | undefined, step: string): number | undefined {
  if (document?.type === 'launcher') return step === LAUNCHER_STEP ? 0 : undefined
  const index = document?.type === 'flow' ? document.steps.findIndex(({ key }) => key === step) : -1
  return index < 0 ? undefined : index + 1
}
