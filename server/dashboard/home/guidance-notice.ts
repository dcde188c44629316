import type { GuidanceNotice } from '../../../contract/dashboard/home.ts'

/** What may need a person: of the last day. */
export interface GuidanceInput {
  identity: 'off' | 'report' | 'required'
  /** Identifications that were refused for want of a good signature. */
  unproven: number
  /** Published content with an element that pages do not find, the worst first, and the number of its step. */
  missed: readonly { id: string; name: string; step: number; missed: number; tries: number }[]
  /** Published content whose rule selects nobody, and that nobody has seen. */
  unmatched: readonly { id: string; name: string }[]
}

const nothing = { content_id: null, content_name: null, step: null, count: null, share: null }

/** The first that holds: refused users, an element that is gone, content that nobody can see. */
export function guidanceNotice({ identity, unproven, missed, unmatched }: GuidanceInput): GuidanceNotice | null {
  if (identity === 'required' && unproven > 0) return { ...nothing, kind: 'unsigned', count: unproven }
  const [worst] = missed
  if (worst) {
    const { id, name, step, tries } = worst
    const share = worst.missed / tries
    return { kind: 'target_missing', content_id: id, content_name: name, step, count: worst.missed, share }
  }
  const [first] = unmatched
  if (!first) return null
  return { ...nothing, kind: 'nobody_matches', content_id: first.id, content_name: first.name, count: unmatched.length }
}
