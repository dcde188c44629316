import type { GuidanceNotice } from '../../../contract/dashboard/home.ts'

/** What may need a person: of the last day. */
export interface GuidanceInput {
  identity: 'off' | 'report' | 'required'
  /** Identifications without a valid proof. */
  unproven: number
  /** Published content whose first element users did not find, and how many users saw it. */
  missing: readonly { id: string; name: string; missed: number; seen: number }[]
  /** Published content whose rule selects nobody. */
  unmatched: readonly { id: string; name: string }[]
}

/** Below, a target that is missing is noise of single pages. */
const LEAST_SHARE = 0.2
const LEAST_MISSES = 5

const nothing = { content_id: null, content_name: null, count: null, share: null }

/** The first that holds: refused users, an element that is gone, content that nobody can see. */
export function guidanceNotice({ identity, unproven, missing, unmatched }: GuidanceInput): GuidanceNotice | null {
  if (identity === 'required' && unproven > 0) return { ...nothing, kind: 'unsigned', count: unproven }
  const [worst] = missing
    .map(({ missed, seen, ...content }) => ({ ...content, missed, share: missed / (missed + seen) }))
    .filter(({ missed, share }) => missed >= LEAST_MISSES && share >= LEAST_SHARE)
    .sort((one, other) => other.share - one.share)
  if (worst) {
    const { id, name, missed, share } = worst
    return { kind: 'target_missing', content_id: id, content_name: name, count: missed, share }
  }
  const [first] = unmatched
  if (!first) return null
  return { ...nothing, kind: 'nobody_matches', content_id: first.id, content_name: first.name, count: unmatched.length }
}
