import type { Condition } from '../../contract/conditions/condition.ts'

/** Whom a version is for. `nobody`: it is not published. */
export type Who = Condition | 'everybody' | 'nobody'

/** Those whom the second is for and the first is not. */
export function gainedBy(first: Who, second: Who): Who {
  if (second === 'nobody' || first === 'everybody') return 'nobody'
  if (first === 'nobody') return second
  return second === 'everybody' ? { not: first } : { all: [second, { not: first }] }
}
