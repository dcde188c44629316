import type { Scope } from './queries.ts'

/** How the scope of an attribute is called: the contract calls a membership group_membership. */
export const SCOPE_WORDS: Record<Scope, string> = {
  user: 'user',
  group: 'group',
  event: 'event',
  group_membership: 'membership',
}
