import type { Condition, Outcome } from '../../contract/conditions/condition.ts'
import type { LeafFinding } from '../../contract/conditions/finding.ts'
import { keptCondition } from '../../contract/conditions/retention.ts'
import { type Names, sentenceOf } from '../../contract/conditions/sentence.ts'
import { Compiler, type Meanings } from '../conditions/compile.ts'
import { evaluate, findings, reasonOf } from '../conditions/evaluate.ts'
import type { FactReader } from '../conditions/fact-reader.ts'
import type { Facts } from '../conditions/facts.ts'
import type { EnvironmentId } from '../database/database.ts'
import { errors } from '../errors.ts'

export interface Receipt {
  object: 'receipt'
  met: Outcome
  sentence: string
  group_id: string | null
  leaves: LeafFinding[]
}

export interface ExplainRequest extends Meanings {
  environmentId: EnvironmentId
  condition: Condition
  userId: string | undefined
  groupId: string | undefined
  /** What its sentences call content; the keys without it. */
  names?: Names
}

/** Why a user or a group fits a condition, by the same function that decides. */
export async function explain(reader: FactReader, request: ExplainRequest): Promise<Receipt> {
  const compiler = new Compiler(request)
  const compiled = compiler.add(request.condition)
  const candidates = await factsOf(reader, request, { ...compiler.needs, isAskedOnce: true })
  // The group that fits; when none does, the first one tells why.
  const facts = candidates.find((each) => evaluate(compiled, each) === true) ?? (candidates[0] as Facts)
  const met = evaluate(compiled, facts)
  const whole = keptCondition(request.condition, request.keptDays)
  const names = { ...compiler.names, content: request.names?.content }
  const reason = met === true ? sentenceOf(whole, names) : reasonOf(compiled, facts, names).sentence
  return {
    object: 'receipt',
    met,
    sentence: reason,
    group_id: facts.group?.id ?? null,
    leaves: findings(compiled, facts, names),
  }
}

/** With several groups, the facts of each: a user fits if one of its groups does. */
async function factsOf(
  reader: FactReader,
  { environmentId, userId, groupId, ...asked }: ExplainRequest,
  needs: Compiler['needs'],
): Promise<Facts[]> {
  if (userId === undefined) {
    const facts = await reader.readGroup(environmentId, groupId as string, needs)
    if (!facts) throw errors.notFound('Group', groupId as string)
    return [facts]
  }
  const all =
    groupId === undefined
      ? await reader.readForEachGroup(environmentId, userId, needs, asked)
      : [await reader.read(environmentId, { userId, groupId }, { ...needs, group: true })]
  if (!all[0]?.user) throw errors.notFound('User', userId)
  if (groupId !== undefined && !all[0].group)
    throw errors.invalidParams([`group_id: the user '${userId}' is not in the group '${groupId}'`])
  return all
}
