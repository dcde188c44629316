import type { Attributes } from '../../contract/attributes.ts'
import type {
  AnswerLeaf,
  AttributeLeaf,
  ContentLeaf,
  EventLeaf,
  Outcome,
  ServerLeaf,
} from '../../contract/conditions/condition.ts'
import { durationMs } from '../../contract/conditions/duration.ts'
import type { Found } from '../../contract/conditions/finding.ts'
import { own } from '../attributes/own.ts'
import { isoTime } from '../clock.ts'
import { notAMember } from '../memberships/current-groups.ts'
import { compareBy } from './compare.ts'
import type { Compiled } from './compiled.ts'
import { evaluate } from './evaluate.ts'
import type { ContentFacts, Facts } from './facts.ts'
import type { Probes } from './probes.ts'
import { timeHolds } from './time-leaf.ts'

interface LeafWork {
  test: (facts: Facts) => Outcome
  found: (facts: Facts) => Found
}

/** What decides a leaf, and what a receipt shows of it. `segment` is the compiled condition of a segment leaf. */
export function compileLeaf(leaf: ServerLeaf, probes: Probes, segment: Compiled | undefined): LeafWork {
  if ('attribute' in leaf) return attributeLeaf(leaf)
  if ('event' in leaf) return eventLeaf(leaf, probes.add(leaf))
  if ('content' in leaf) return contentLeaf(leaf)
  if ('answer' in leaf) return answerLeaf(leaf)
  if ('segment' in leaf) return segmentLeaf(leaf.is === 'in', segment)
  return {
    test: ({ now }) => timeHolds(leaf, now),
    found: ({ now }) => ({ value: isoTime(now) }),
  }
}

function attributeLeaf(leaf: AttributeLeaf): LeafWork {
  const compare = compareBy(leaf)
  const { attribute, of = 'user' } = leaf
  const valueIn = (facts: Facts) => own(attributesOf(facts, of), attribute)
  return {
    test: (facts) => compare(valueIn(facts), facts.now),
    found: (facts) => ({ value: valueIn(facts) ?? null, remark: of === 'user' ? undefined : groupRemark(facts) }),
  }
}

function attributesOf({ user, group }: Facts, of: 'user' | 'group' | 'membership'): Attributes | undefined {
  if (of === 'user') return user?.attributes
  return of === 'group' ? group?.attributes : group?.membership
}

/** Why there is no group. */
function groupRemark({ group, foreignGroup, otherGroups, isKept }: Facts): string | undefined {
  if (group) return undefined
  if (otherGroups.length === 0) return 'the user is in no group'
  if (isKept)
    return foreignGroup === undefined
      ? 'no group was named, and the user is in several'
      : 'the user is not a member of the group that was named'
  const named = `${otherGroups.slice(0, 5).join(', ')}${otherGroups.length > 5 ? ' and others' : ''}`
  if (foreignGroup === undefined) return `no group was named, and the user is in several: ${named}`
  return `${notAMember(foreignGroup)} that was named, but of ${named}`
}

function eventLeaf(leaf: EventLeaf, probe: number): LeafWork {
  const { at_least = 1, at_most } = leaf
  return {
    test: ({ counts }) => {
      const count = counts[probe]
      if (count === null || count === undefined) return null
      return at_most === undefined ? count >= at_least : count <= at_most
    },
    found: (facts) => {
      const count = facts.counts[probe]
      if (count === null || count === undefined)
        return { value: null, remark: 'there are too many events to look at all' }
      // A probe may serve several leaves, and count further than this one needs.
      const most = at_most === undefined ? at_least : at_most + 1
      return { value: Math.min(count, most), remark: leaf.by === 'group' ? groupRemark(facts) : undefined }
    },
  }
}

function contentLeaf({ content, is, within }: ContentLeaf): LeafWork {
  const withinMs = within === undefined ? Number.POSITIVE_INFINITY : durationMs(within)
  const isRecent = (at: number | undefined, now: number) => at !== undefined && at >= now - withinMs
  const tests: Record<ContentLeaf['is'], (state: ContentFacts | undefined, now: number) => boolean> = {
    seen: (state, now) => isRecent(state?.seenAt, now),
    not_seen: (state, now) => !isRecent(state?.seenAt, now),
    completed: (state, now) => isRecent(state?.completedAt, now),
    dismissed: (state, now) => isRecent(state?.dismissedAt, now),
    active: (state) => state?.isActive ?? false,
  }
  return {
    test: (facts) => tests[is](facts.content.get(content), facts.now),
    found: (facts) => ({ value: stateOf(facts.content.get(content), is) }),
  }
}

/** A content may be in several states at once. The one that is asked for comes first, so that a receipt tells what decided. */
function stateOf(state: ContentFacts | undefined, asked: ContentLeaf['is']): string | null {
  if (!state || state.seenAt === undefined) return null
  if (asked === 'completed' && state.completedAt !== undefined) return 'completed'
  if (asked === 'dismissed' && state.dismissedAt !== undefined) return 'dismissed'
  if (state.isActive) return 'active'
  if (state.completedAt !== undefined) return 'completed'
  return state.dismissedAt === undefined ? 'seen' : 'dismissed'
}

function answerLeaf(leaf: AnswerLeaf): LeafWork {
  const compare = compareBy(leaf)
  const valueIn = ({ answers }: Facts) => answers.get(leaf.answer)?.get(leaf.question)
  return {
    test: (facts) => compare(valueIn(facts), facts.now),
    found: (facts) => ({ value: valueIn(facts) ?? null }),
  }
}

function segmentLeaf(isIn: boolean, segment: Compiled | undefined): LeafWork {
  if (!segment) return { test: () => null, found: () => ({ value: null, remark: 'there is no such segment' }) }
  return {
    test: (facts) => {
      const outcome = evaluate(segment, facts)
      return outcome === null ? null : outcome === isIn
    },
    found: (facts) => ({ value: evaluate(segment, facts) }),
  }
}
