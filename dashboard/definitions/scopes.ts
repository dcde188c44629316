import type { Scope } from './queries.ts'

/** The label of a scope: the contract calls a membership group_membership. */
export const SCOPE_WORDS: Record<Scope, string> = {
  user: 'user',
  group: 'group',
  event: 'event',
  group_membership: 'membership',
}
