import { counted } from '../counted.ts'
import type { Queryable } from '../database/database.ts'
import { findKeyIds } from '../secrets/queries.ts'
import { countLeft } from '../secrets/rotate.ts'
import type { SealedColumn } from '../secrets/sealed-column.ts'
import { SecretBox } from '../secrets/secret-box.ts'
import { type Finding, warning } from './finding.ts'

/** Whether something is sealed with another key than the present one. No findings without a key, and when nothing is. */
export async function checkRotation(
  db: Queryable,
  key: Buffer | undefined,
  columns: readonly SealedColumn[],
): Promise<Finding[]> {
  const { keyId } = new SecretBox(key)
  if (keyId === undefined) return []
  const others = (await findKeyIds(db)).filter((id) => id !== keyId)
  const left = await countLeft(db, keyId, columns)
  if (left === 0 && others.length === 0) return []
  const named = others.length > 0 ? ` (${others.join(', ')})` : ''
  return [
    warning(
      'secret key',
      `${counted(left, 'row')} sealed with another key${named} than the present one, ${keyId}`,
      'With the old key as USHER_SECRET_KEY_OTHER, run npx usher secrets rotate; docs/operations.md has the steps.',
    ),
  ]
}
