import type { Condition } from '../../contract/conditions/condition.ts'
import { eachLeaf } from '../../contract/conditions/kinds.ts'
import { conditionProblems, type Place } from '../../contract/conditions/problems.ts'
import { leafSentence, type SegmentNames } from '../../contract/conditions/sentence.ts'
import { limits } from '../../contract/limits.ts'
import type { SegmentLookup } from '../conditions/compile.ts'
import type { Scope } from '../conditions/members-sql.ts'
import { typeWarnings } from '../conditions/warnings.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { errors } from '../errors.ts'
import type { Services } from '../services.ts'
import { explain, type Receipt } from './explain.ts'
import { findSegments, type SegmentRow, segmentLookup } from './queries.ts'
import { referenceProblems } from './references.ts'
import { namesOf } from './views.ts'
import { knownSegments } from './works.ts'

/** What is asked about: a condition, or the segment with this key. */
export interface Question {
  condition?: Condition | null
  segment?: string | null
}

/** A checked condition, with the segments that it refers to. */
export interface Asked {
  condition: Condition
  scope: Scope
  segments: SegmentLookup
  names: SegmentNames
}

/** The condition that is asked about, checked together with the segments that it refers to. */
export async function askedCondition(
  db: Queryable,
  environmentId: EnvironmentId,
  question: Question,
  scope: Scope | undefined,
): Promise<Asked> {
  const rows = await findSegments(db, environmentId)
  const [condition, chosen] = chosenCondition(question, scope, rows)
  checkCondition(condition, chosen)
  const problems = referenceProblems(condition, chosen, knownSegments(rows), 'condition')
  if (problems.length > 0) throw errors.invalidParams(problems.map(({ path, message }) => `${path}: ${message}`))
  return { condition, scope: chosen, segments: segmentLookup(rows), names: namesOf(rows) }
}

/** How many a condition selects at the moment, and what each of its leaves selects by itself. */
export async function countMembers(
  { database, counter }: Pick<Services, 'database' | 'counter'>,
  environmentId: EnvironmentId,
  question: Question & { scope?: Scope | null },
  signal: AbortSignal,
) {
  const { condition, scope, segments, names } = await askedCondition(
    database,
    environmentId,
    question,
    question.scope ?? undefined,
  )
  const request = { environmentId, condition, scope, segments, now: Date.now() }
  const { whole, lines, exact, margin } = await counter.count(request, signal)
  const leaves: { path: string; count: number; sentence: string }[] = []
  eachLeaf(condition, (leaf, path) =>
    leaves.push({ path, count: lines[leaves.length] ?? 0, sentence: leafSentence(leaf, names) }),
  )
  const warnings = await conditionWarnings(database, environmentId, condition)
  return { object: 'segment_count' as const, count: whole, exact, margin, lines: leaves, warnings }
}

/** Why a user or a group fits a condition, or does not. */
export async function explainMember(
  { database, facts }: Pick<Services, 'database' | 'facts'>,
  environmentId: EnvironmentId,
  question: Question & { user_id?: string | null; group_id?: string | null },
): Promise<Receipt> {
  const { user_id, group_id } = question
  if (!user_id && !group_id) throw errors.invalidParams(['user_id: one of user_id and group_id is required'])
  const asked = user_id ? 'user' : 'group'
  const { condition, segments } = await askedCondition(
    database,
    environmentId,
    question,
    question.segment ? undefined : asked,
  )
  const ids = { userId: user_id ?? undefined, groupId: group_id ?? undefined }
  return await explain(facts, { environmentId, condition, segments, ...ids })
}

/** What is allowed in a condition and probably not meant. */
export async function conditionWarnings(
  db: Queryable,
  environmentId: EnvironmentId,
  condition: Condition,
): Promise<string[]> {
  const warnings = await typeWarnings(db, environmentId, condition)
  return warnings.map(({ path, message }) => `condition${path === '' ? '' : '.'}${path}: ${message}`)
}

function chosenCondition(
  { condition, segment }: Question,
  scope: Scope | undefined,
  rows: readonly SegmentRow[],
): [Condition, Scope] {
  if ((condition == null) === (segment == null))
    throw errors.invalidParams(['condition: exactly one of condition and segment is required'])
  if (condition) return [condition, scope ?? 'user']
  const row = rows.find(({ key }) => key === segment)
  if (!row) throw errors.invalidParams([`segment: there is no segment ${segment}`])
  if (scope !== undefined && scope !== row.scope)
    throw errors.invalidParams([`scope: ${row.key} is a segment of ${row.scope}s; leave scope out`])
  return [JSON.parse(row.condition) as Condition, row.scope]
}

export function checkCondition(condition: Condition, scope: Scope): void {
  const place: Place = scope === 'user' ? 'who' : 'group'
  const problems = conditionProblems(condition, place, 'condition')
  if (problems.length > 0) throw errors.invalidParams(problems.map(({ path, message }) => `${path}: ${message}`))
  const bytes = Buffer.byteLength(JSON.stringify(condition))
  if (bytes > limits.conditionBytes)
    throw errors.invalidParams([`condition: has ${bytes} bytes; at most ${limits.conditionBytes} are allowed`])
}
