import { durationWords } from '../../contract/conditions/duration.ts'
import { sentenceOf as conditionSentence, contentName } from '../../contract/conditions/sentence.ts'
import { isoTime } from '../clock.ts'
import { reasonOf } from '../conditions/evaluate.ts'
import type { CompiledContent } from './compiled-content.ts'
import type { Gate, GateCode, Situation } from './gates.ts'
import { leftToPage } from './where.ts'

/** The reason of a receipt as a person would say it. */
export function sentenceOf(
  content: CompiledContent,
  gates: readonly Gate[],
  closed: Gate | undefined,
  situation: Situation,
): string {
  if (closed) return `Not shown: ${reasons[closed.code as GateCode](closed, content, situation)}`
  const behind = gates.find(({ gate }) => gate === 'order')?.behind ?? []
  const after =
    behind.length === 0 ? '' : ` after ${listed(behind.map((key) => contentName(key, situation.environment.names)))}`
  const isLeft = gates.some(({ gate, open }) => gate === 'where' && open === null)
  const { where } = content.rules
  return isLeft && where
    ? `Shown${after} where ${conditionSentence(where, situation.environment.names)}`
    : `Shown${after}`
}

type Reason = (gate: Gate, content: CompiledContent, situation: Situation) => string

const reasons: Record<GateCode, Reason> = {
  not_published: () => 'it is not published',
  guidance_off: () => 'all content of this environment is switched off',
  user_unknown: () => 'there is no such user',
  identity_not_verified: () => 'the identity of the user is not verified',
  script_too_old: () => 'the script in the page is too old to show it',
  already_seen: ({ at }) => `the user has seen it${on(at)}, and it is shown once`,
  already_completed: ({ at }) => `the user has completed it${on(at)}`,
  not_again_before: ({ at }, { rules }) => `it is shown ${every(rules.when?.frequency)}, again from ${time(at)}`,
  at_most_reached: (_, { rules }) => `it was shown ${times(rules.when?.at_most ?? 0)}, which is the most`,
  who_not_met: (_, { who }, { facts, environment }) =>
    who ? reasonOf(who, facts, environment.names).sentence : 'the user is not among those who see it',
  who_unknown: (gate, content, situation) => reasons.who_not_met(gate, content, situation),
  quiet_until: ({ at }) => `a flow ended a moment ago, and no other starts by itself before ${time(at)}`,
  in_the_page: (_, { where }, { facts, environment }) =>
    where ? reasonOf(where, facts, environment.names, leftToPage).sentence : 'it fits no page',
  shown_elsewhere: (_, { type }, { page }) => `${page ? 'another' : 'a'} browser of the user shows this ${type} now`,
}

const time = (at: number | undefined) => isoTime(at ?? 0)
const on = (at: number | undefined) => (at === undefined ? '' : ` at ${time(at)}`)
const times = (count: number) => (count === 1 ? 'once' : `${count} times`)
const every = (frequency: unknown) =>
  typeof frequency === 'object' && frequency !== null && 'every' in frequency
    ? `once in ${durationWords(String(frequency.every))}`
    : 'now and then'

function listed(keys: readonly string[]): string {
  const [last, ...others] = keys.toReversed()
  return others.length === 0 ? String(last) : `${others.toReversed().join(', ')} and ${last}`
}
