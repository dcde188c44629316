import type { Condition } from '../../contract/conditions/condition.ts'
import type { EnvironmentId, Reader } from '../database/database.ts'
import type { Meanings } from './compile.ts'
import { fittingGroupSql } from './members-sql.ts'
import { Parameters } from './parameters.ts'
import { inScanTurn } from './scan-turns.ts'

/** A condition, with what it means in its environment. */
export interface MeantCondition extends Meanings {
  readonly condition: Condition
}

/** The id of the first group of the user with which a condition selects the user; undefined when it does so with none. */
export async function findFittingGroup(
  db: Reader,
  environmentId: EnvironmentId,
  userId: string,
  { condition, segments, keptDays }: MeantCondition,
  now: number,
): Promise<string | undefined> {
  const parameters = new Parameters()
  const id = parameters.add(userId, 'text')
  const text = fittingGroupSql(id, condition, { scope: 'user', parameters, segments, keptDays, now, isOfSome: true })
  const [row] = await inScanTurn(db, environmentId, () =>
    db.queryUnprepared<{ id: string }>(text, [environmentId, ...parameters.values]),
  )
  return row?.id
}
