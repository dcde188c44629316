import { findKeptDays } from '../../conditions/kept-days.ts'
import { findLookingBack, type LookingBack } from '../../content/looking-back.ts'
import { counted } from '../../counted.ts'
import type { EnvironmentId, Queryable } from '../../database/database.ts'
import type { CommandResult } from '../command.ts'

/** What changes its meaning when events are kept for a shorter time. */
export async function affectedBy(
  db: Queryable,
  id: EnvironmentId,
  days: number | null | undefined,
): Promise<LookingBack[]> {
  const before = await findKeptDays(db, id)
  const isShorter = typeof days === 'number' && (before === undefined || days < before)
  return isShorter ? await findLookingBack(db, id, days, Date.now()) : []
}

export function listAffected(affected: readonly LookingBack[], days: number): CommandResult {
  const lines = affected.map(({ object, key, path, words }) => `${object} ${key}: ${path} ${words}`)
  const kept = counted(days, 'day')
  return {
    text: `With events kept for ${kept}, these count those of the last ${kept} only:\n${lines.join('\n')}`,
    json: { keep_events_days: days, affected },
    hint: 'Nothing was changed. Add --confirm to keep events for that time all the same.',
    failed: true,
  }
}
