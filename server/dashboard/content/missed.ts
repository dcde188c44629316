import type { ContentDocument } from '../../../contract/content/document.ts'
import type { MissedTarget } from '../../../contract/dashboard/missed-target.ts'
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
    if (number > 0 && !worst.has(versionId)) worst.set(versionId, { ...missed, number })
  }
  return worst
}

const numberOf = (document: ContentDocument | undefined, step: string) =>
  document?.type === 'flow' ? document.steps.findIndex(({ key }) => key === step) + 1 : 0
