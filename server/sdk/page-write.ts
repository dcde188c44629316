import type { AttributeInputs } from '../../contract/attributes.ts'
import type { WriteAnswer } from '../../contract/sdk/protocol.ts'
import { type AttributeOperations, applyOperations, parseOperations } from '../attributes/operations.ts'
import type { Scope } from '../definitions/new-definitions.ts'
import type { GroupPart, IgnoredAttribute } from '../writes/jobs.ts'
import { OF_BACK_END } from '../writes/page-rules.ts'
import type { PublicSide } from './directory.ts'
import type { Writers } from './writers.ts'

const OF_USHER = 'is written by Usher itself'

/** When a user was last seen is told by `identify`. A page cannot say otherwise. */
export const LAST_SEEN = 'last_seen_at'

/** What a page sent, without what only the back end and Usher write. */
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
  const reasonOf = (name: string) => {
    if (claimed.has(name)) return OF_BACK_END
    return scope === 'user' && name === LAST_SEEN ? OF_USHER : undefined
  }
  return {
    operations: given.filter(([name]) => reasonOf(name) === undefined),
    ignored: names.flatMap((name) => {
      const reason = reasonOf(name)
      return reason === undefined ? [] : [{ name: prefix + name, reason }]
    }),
  }
}

const MOST_NAMED = 20

/** What an answer says of what was ignored. With a reason for each name it would be ten times what the page has sent. */
export function namedOf(ignored: readonly IgnoredAttribute[]): Pick<WriteAnswer, 'ignored' | 'ignored_more'> {
  const more = ignored.length - MOST_NAMED
  return { ignored: ignored.slice(0, MOST_NAMED), ...(more > 0 && { ignored_more: more }) }
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
