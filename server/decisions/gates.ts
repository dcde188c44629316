import type { LeafFinding } from '../../contract/conditions/finding.ts'
import { CONTENT_FORMAT } from '../../contract/content/rendered.ts'
import { evaluate, findings } from '../conditions/evaluate.ts'
import type { Facts } from '../conditions/facts.ts'
import { frequencyClosed, quietUntil } from '../history/frequency.ts'
import type { CompiledContent, CompiledEnvironment } from './compiled-content.ts'
import type { ContentState, Standing } from './states.ts'
import { type LeftToPage, leftToPage } from './where.ts'

/** The questions of a decision, in the order in which they are asked. */
const gateNames = ['published', 'known', 'frequency', 'who', 'quiet', 'order', 'where', 'claim'] as const
export type GateName = (typeof gateNames)[number]

export const gateCodes = [
  'not_published',
  'guidance_off',
  'user_unknown',
  'identity_not_verified',
  'script_too_old',
  'already_seen',
  'already_completed',
  'not_again_before',
  'at_most_reached',
  'who_not_met',
  'who_unknown',
  'quiet_until',
  'in_the_page',
  'shown_elsewhere',
] as const
export type GateCode = (typeof gateCodes)[number]

/** What one gate came to. `open` is null when the page decides. */
export interface Gate {
  gate: GateName
  open: boolean | null
  code: GateCode | null
  /** Until when it stays closed; of what was seen, when. Milliseconds since 1970. */
  at?: number
  /** The keys of the content of its slot that comes before. */
  behind?: string[]
  leaves?: LeafFinding[]
}

/** The page that asks. Without one it is the back end, which knows its users. */
export interface Page {
  /** The environment wants verified identities, and this one is not. */
  lacksProof: boolean
  /** The newest form of content that its script can show. */
  format: number
  browserId: string
}

/** Everything that a decision is made from. */
export interface Situation {
  readonly environment: CompiledEnvironment
  readonly standing: Standing
  readonly facts: Facts
  readonly page?: Page | undefined
}

/** What the gates came to for one content, and what is left for the page. */
export interface Passage {
  readonly gates: Gate[]
  readonly closed: Gate | undefined
  readonly left: LeftToPage
}

const open = (gate: GateName): Gate => ({ gate, open: true, code: null })
const shut = (gate: GateName, code: GateCode, more: Partial<Gate> = {}): Gate => ({ gate, open: false, code, ...more })

/** Asks the gates. Without a receipt it stops at the first that is closed. */
export function pass(content: CompiledContent, situation: Situation, hasReceipt: boolean): Passage {
  const state = situation.standing.states.find(({ contentId }) => contentId === content.id)
  const gates: Gate[] = []
  let closed: Gate | undefined
  let left: LeftToPage = true
  for (const name of gateNames) {
    if (name === 'where' && content.where) left = leftToPage(content.where, situation.facts)
    const gate = gatesByName[name](content, situation, state, left, hasReceipt)
    gates.push(gate)
    if (gate.open === false) closed ??= gate
    if (closed && !hasReceipt) break
  }
  return { gates, closed, left }
}

type Ask = (
  content: CompiledContent,
  situation: Situation,
  state: ContentState | undefined,
  left: LeftToPage,
  hasReceipt: boolean,
) => Gate

const gatesByName: Record<GateName, Ask> = {
  published: ({ isPublished }, { standing }) => {
    if (standing.isOff) return shut('published', 'guidance_off')
    return isPublished ? open('published') : shut('published', 'not_published')
  },

  known: (_, { facts, page }) => {
    if (!facts.user) return shut('known', 'user_unknown')
    if (page?.lacksProof) return shut('known', 'identity_not_verified')
    return page && page.format < CONTENT_FORMAT ? shut('known', 'script_too_old') : open('known')
  },

  frequency: ({ rules }, { facts }, state) => {
    const closed = frequencyClosed(rules.when ?? {}, state, facts.now)
    if (!closed) return open('frequency')
    const seen = closed.code === 'already_completed' ? state?.completedAt : state?.lastStartedAt
    const at = closed.code === 'not_again_before' ? closed.until : seen
    return shut('frequency', closed.code, at === null || at === undefined ? {} : { at })
  },

  who: ({ who, rules }, { facts, environment }, _, __, hasReceipt) => {
    if (!who) return rules.who ? shut('who', 'who_unknown') : open('who')
    const outcome = evaluate(who, facts)
    const leaves = hasReceipt ? { leaves: findings(who, facts, environment.names) } : {}
    if (outcome === true) return { ...open('who'), ...leaves }
    return shut('who', outcome === null ? 'who_unknown' : 'who_not_met', leaves)
  },

  quiet: ({ type, rules }, { standing: { quietMs, states }, facts }) => {
    if (type !== 'flow' || quietMs === 0 || rules.when?.exempt_from_quiet) return open('quiet')
    const until = quietUntil(states, quietMs, facts.now)
    return facts.now < until ? shut('quiet', 'quiet_until', { at: until }) : open('quiet')
  },

  // What passes is ordered afterwards.
  order: () => open('order'),

  where: ({ where, rules }, { facts, environment }, _, left, hasReceipt) => {
    if (rules.where && !where) return shut('where', 'in_the_page')
    if (left === true) return open('where')
    const leaves = hasReceipt && where ? { leaves: findings(where, facts, environment.names) } : {}
    return { gate: 'where', open: left === false ? false : null, code: 'in_the_page', ...leaves }
  },

  claim: (_, { page }, state) => {
    const holder = state?.holder ?? null
    return holder === null || holder === page?.browserId ? open('claim') : shut('claim', 'shown_elsewhere')
  },
}
