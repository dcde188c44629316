import type { AttributeInputs } from '../../contract/attributes.ts'
import { type AttributeOperations, applyOperations, parseOperations } from '../attributes/operations.ts'
import type { Scope } from '../definitions/new-definitions.ts'
import type { ObjectRow } from '../objects/queries.ts'
import type { GroupPart, IgnoredAttribute } from '../writes/jobs.ts'
import type { PublicSide } from './directory.ts'
import type { Writers } from './writers.ts'

export const OF_BACK_END = 'is written by the back end'

/** What a page sent, without what only the back end writes. */
export interface GivenAttributes {
  operations: AttributeOperations
  ignored: IgnoredAttribute[]
}

export async function givenAttributes(
  writers: Writers,
  { environmentId }: PublicSide,
  scope: Scope,
  inputs: AttributeInputs | null | undefined,
  prefix = '',
): Promise<GivenAttributes> {
  const given = parseOperations(inputs)
  if (given.length === 0) return { operations: given, ignored: [] }
  const names = given.map(([name]) => name)
  const claimed = await writers.ofBackEnd(environmentId, scope, names)
  return {
    operations: given.filter(([name]) => !claimed.has(name)),
    ignored: names.filter((name) => claimed.has(name)).map((name) => ({ name: prefix + name, reason: OF_BACK_END })),
  }
}

/** Whether a write would change something: a page sends the same again with each view. Problems are for the write to report. */
export function wouldChange(attributesJson: string | undefined, operations: AttributeOperations): boolean {
  if (attributesJson === undefined) return true
  if (operations.length === 0) return false
  const current = JSON.parse(attributesJson)
  const applied = applyOperations(current, operations)
  return 'problems' in applied || applied.attributes !== current
}

export function groupPart(
  id: string,
  operations: AttributeOperations = [],
  membershipOperations: AttributeOperations = [],
): GroupPart {
  return { id, operations, membershipOperations, groupPath: 'group', membershipPath: 'membership' }
}

export type FoundObject = Pick<ObjectRow, 'attributesJson' | 'created_at'>
