import type { Condition } from '../../contract/conditions/condition.ts'
import type { Problem } from '../../contract/conditions/fields.ts'
import { eachLeaf } from '../../contract/conditions/kinds.ts'
import { conditionProblems, type Place } from '../../contract/conditions/problems.ts'
import { keptCondition, longWindow } from '../../contract/conditions/retention.ts'
import { type Names, sentenceOf } from '../../contract/conditions/sentence.ts'
import { limits } from '../../contract/limits.ts'
import { answerWarnings, type PlacedLeaf } from '../conditions/answer-warnings.ts'
import type { Meanings } from '../conditions/compile.ts'
import { findKeptDays } from '../conditions/kept-days.ts'
import type { Scope } from '../conditions/members-sql.ts'
import { typeWarnings } from '../conditions/warnings.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { errors } from '../errors.ts'
import type { Services } from '../services.ts'
import { explain, type Receipt } from './explain.ts'
import { findMeanings, type SegmentRow } from './queries.ts'
import { referenceProblems } from './references.ts'
import { namesOf } from './views.ts'
import { knownSegments } from './works.ts'

/** What is asked about: a condition, or the segment with this key. */
export interface Question {
  condition?: Condition | null
  segment?: string | null
  /** What sentences call content; the keys without it. */
  contentNames?: Names['content']
}

/** A checked condition, with the segments that it refers to. */
export interface Asked extends Meanings {
  condition: Condition
  scope: Scope
  names: Names
}

/** The condition that is asked about, checked together with the segments that it refers to. */
export async function askedCondition(
  db: Queryable,
  environmentId: EnvironmentId,
  question: Question,
  scope: Scope | undefined,
): Promise<Asked> {
  const { rows, ...meanings } = await findMeanings(db, environmentId)
  const [condition, chosen] = chosenCondition(question, scope, rows)
  checkCondition(condition, chosen)
  const problems = referenceProblems(condition, chosen, knownSegments(rows), 'condition')
  if (problems.length > 0) throw errors.invalidParams(problems.map(({ path, message }) => `${path}: ${message}`))
  return { ...meanings, condition, scope: chosen, names: { ...namesOf(rows), content: question.contentNames } }
}

/** How many a condition selects at the moment, what each of its leaves selects by itself, and of how many if that is known. */
export async function countMembers(
  { database, counter, now }: Pick<Services, 'database' | 'counter' | 'now'>,
  environmentId: EnvironmentId,
  question: Question & { scope?: Scope | null },
  signal: AbortSignal,
) {
  const { names, ...asked } = await askedCondition(database, environmentId, question, question.scope ?? undefined)
  const { condition, keptDays } = asked
  const request = { ...asked, environmentId, now: now() }
  const { whole, total, lines, exact, margin } = await counter.count(request, signal)
  const leaves: { path: string; count: number; sentence: string }[] = []
  eachLeaf(condition, (leaf, path) =>
    leaves.push({ path, count: lines[leaves.length] ?? 0, sentence: sentenceOf(keptCondition(leaf, keptDays), names) }),
  )
  const warnings = await conditionWarnings(database, environmentId, condition)
  return { total, counted: { object: 'segment_count' as const, count: whole, exact, margin, lines: leaves, warnings } }
}

/** Why a user or a group fits a condition, or does not. */
export async function explainMember(
  { database, facts }: Pick<Services, 'database' | 'facts'>,
  environmentId: EnvironmentId,
  question: Question & { user_id?: string | null; group_id?: string | null },
): Promise<Receipt> {
  const { user_id, group_id } = question
  if (!user_id && !group_id) throw errors.invalidParams(['user_id: one of user_id and group_id is required'])
  const scope = user_id ? 'user' : 'group'
  const asked = await askedCondition(database, environmentId, question, question.segment ? undefined : scope)
  const ids = { userId: user_id ?? undefined, groupId: group_id ?? undefined }
  return await explain(facts, { ...asked, environmentId, ...ids })
}

/** What is allowed in a condition and probably not meant. */
export async function conditionWarnings(
  db: Queryable,
  environmentId: EnvironmentId,
  condition: Condition,
): Promise<string[]> {
  const leaves: PlacedLeaf[] = []
  eachLeaf(condition, (leaf, path) => leaves.push({ leaf, path }))
  const [types, unasked, keptDays] = await Promise.all([
    typeWarnings(db, environmentId, condition),
    answerWarnings(db, environmentId, leaves),
    findKeptDays(db, environmentId),
  ])
  const windows = keptDays === undefined ? [] : windowWarnings(condition, keptDays)
  const warnings = [...types, ...unasked, ...windows]
  return warnings.map(({ path, message }) => `condition${path === '' ? '' : '.'}${path}: ${message}`)
}

/** Windows that are written down and longer than events are kept. */
function windowWarnings(condition: Condition, keptDays: number): Problem[] {
  const warnings: Problem[] = []
  eachLeaf(condition, (leaf, path) => {
    const long = longWindow(leaf, keptDays, Date.now())
    if (long?.field) warnings.push({ path, message: `${long.words}, and events are kept for ${keptDays} days` })
  })
  return warnings
}

function chosenCondition(
  { condition, segment }: Question,
  scope: Scope | undefined,
  rows: readonly SegmentRow[],
): [Condition, Scope] {
  if ((condition == null) === (segment == null))
    throw errors.invalidParams(['condition: exactly one of condition and segment is required'])
  if (condition != null) return [condition, scope ?? 'user']
  const row = rows.find(({ key }) => key === segment)
  if (!row) throw errors.invalidParams([`segment: there is no segment '${segment}'`])
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
