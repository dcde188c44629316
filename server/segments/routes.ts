import type { Condition } from '../../contract/conditions/condition.ts'
import { eachLeaf } from '../../contract/conditions/kinds.ts'
import { conditionProblems, type Place } from '../../contract/conditions/problems.ts'
import { leafSentence, sentenceOf } from '../../contract/conditions/sentence.ts'
import { limits } from '../../contract/limits.ts'
import { orderable } from '../../contract/queries.ts'
import type { SaveSegment } from '../../contract/requests/segments.ts'
import { answerWrite } from '../answer-write.ts'
import type { ApiHandlers } from '../api.ts'
import { isoTime } from '../clock.ts'
import type { Scope } from '../conditions/members-sql.ts'
import { typeWarnings } from '../conditions/warnings.ts'
import type { EnvironmentId } from '../database/database.ts'
import { errors } from '../errors.ts'
import { takeHorizon, upToHorizon } from '../lists/horizon.ts'
import { listPage } from '../lists/list.ts'
import { parsePage } from '../lists/page.ts'
import { findPosition } from '../lists/position.ts'
import { renderList } from '../lists/response.ts'
import { renderDeleted } from '../render.ts'
import type { Services } from '../services.ts'
import { explain } from './explain.ts'
import { findIn, findSegments, type SegmentRow, segmentLookup, segmentSource } from './queries.ts'
import { referenceProblems } from './references.ts'
import { findUses, type SegmentUse } from './uses.ts'
import {
  knownSegments,
  type Origin,
  refusalOf,
  removeSegments,
  rowOf,
  type SavedSegment,
  saveSegments,
} from './works.ts'

const KIND = 'Segment'

type OriginOf = (
  call: Parameters<ApiHandlers['saveSegment']>[0] | Parameters<ApiHandlers['deleteSegment']>[0],
) => Promise<Origin>

export function segmentHandlers(services: Services, originOf: OriginOf) {
  const { database, commits, facts, counter } = services

  /** A condition of the body, or that of the segment that it names, checked with the segments it refers to. */
  async function conditionOf(environmentId: EnvironmentId, body: Question, scope: Scope | undefined) {
    const rows = await findSegments(database, environmentId)
    const [condition, chosen] = chosenCondition(body, scope, rows)
    checkCondition(condition, chosen)
    const problems = referenceProblems(condition, chosen, knownSegments(rows), 'condition')
    if (problems.length > 0) throw errors.invalidParams(problems.map(({ path, message }) => `${path}: ${message}`))
    return { condition, scope: chosen, segments: segmentLookup(rows), names: namesOf(rows) }
  }

  async function warningsOf(environmentId: EnvironmentId, condition: Condition): Promise<string[]> {
    const warnings = await typeWarnings(database, environmentId, condition)
    return warnings.map(({ path, message }) => `condition${path === '' ? '' : '.'}${path}: ${message}`)
  }

  return {
    saveSegment: async (call) => {
      const { environmentId } = call.grant
      const job = savedSegment(call.body)
      const warnings = await warningsOf(environmentId, job.condition)
      if (call.body.dry_run) return await tryOut(environmentId, job, warnings)
      const names = namesOf(await findSegments(database, environmentId))
      return await answerWrite(
        services,
        saveSegments,
        call,
        { job, origin: await originOf(call) },
        ({ uses, ...row }) => render(row, uses, names, warnings),
      )
    },

    countSegment: async ({ grant: { environmentId }, body, exchange }) => {
      const { condition, scope, segments, names } = await conditionOf(environmentId, body, body.scope ?? undefined)
      const request = { environmentId, condition, scope, segments, now: Date.now() }
      const { whole, lines, exact, margin } = await counter.count(request, exchange.signal())
      const leaves: { path: string; count: number; sentence: string }[] = []
      eachLeaf(condition, (leaf, path) =>
        leaves.push({ path, count: lines[leaves.length] ?? 0, sentence: leafSentence(leaf, names) }),
      )
      const warnings = await warningsOf(environmentId, condition)
      return JSON.stringify({ object: 'segment_count', count: whole, exact, margin, lines: leaves, warnings })
    },

    explainSegment: async ({ grant: { environmentId }, body }) => {
      const { user_id, group_id } = body
      if (!user_id && !group_id) throw errors.invalidParams(['user_id: one of user_id and group_id is required'])
      const asked = user_id ? 'user' : 'group'
      const { condition, segments } = await conditionOf(environmentId, body, body.segment ? undefined : asked)
      const ids = { userId: user_id ?? undefined, groupId: group_id ?? undefined }
      return JSON.stringify(await explain(facts, { environmentId, condition, segments, ...ids }))
    },

    getSegment: async ({ grant: { environmentId }, params: { segment_id } }) => {
      const rows = await findSegments(database, environmentId)
      const row = findIn(rows, segment_id)
      if (!row) throw errors.notFound(KIND, segment_id)
      const uses = await findUses(database, environmentId, rows)
      return render(row, uses.get(row.key) ?? [], namesOf(rows))
    },

    deleteSegment: async (call) => {
      const { segment_id } = call.params
      const request = { job: segment_id, origin: await originOf(call) }
      return await answerWrite(services, removeSegments, call, request, () => renderDeleted('segment', segment_id))
    },

    listSegments: async ({ grant: { environmentId }, query, address }) => {
      const request = parsePage(query, orderable.segments)
      const after = await findPosition(database, environmentId, segmentSource, request, KIND)
      const source = upToHorizon(segmentSource, 'segment.created_at', request, takeHorizon(commits, environmentId))
      const page = await listPage<SegmentRow>(database, environmentId, source, request, after)
      const rows = await findSegments(database, environmentId)
      const uses = await findUses(database, environmentId, rows)
      const items = page.rows.map((row) => render(row, uses.get(row.key) ?? [], namesOf(rows)))
      return renderList(address(), query, page, items)
    },
  } satisfies Partial<ApiHandlers>

  async function tryOut(environmentId: EnvironmentId, job: SavedSegment, warnings: string[]): Promise<string> {
    const rows = await findSegments(database, environmentId)
    const before = rows.find(({ key }) => key === job.key)
    const refusal = refusalOf(job, before, rows)
    if (refusal) throw refusal
    const row = rowOf(job, before, () => '00000000-0000-0000-0000-000000000000', isoTime(Date.now()))
    const uses = await findUses(database, environmentId, rows)
    return render(row, uses.get(row.key) ?? [], namesOf(rows), warnings)
  }
}

interface Question {
  condition?: Condition | null
  segment?: string | null
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

function savedSegment({ key, name, scope, condition }: SaveSegment): SavedSegment {
  const chosen = scope ?? 'user'
  checkCondition(condition, chosen)
  return { key, name: name ?? undefined, scope: chosen, condition }
}

function checkCondition(condition: Condition, scope: Scope): void {
  const place: Place = scope === 'user' ? 'who' : 'group'
  const problems = conditionProblems(condition, place, 'condition')
  if (problems.length > 0) throw errors.invalidParams(problems.map(({ path, message }) => `${path}: ${message}`))
  const bytes = Buffer.byteLength(JSON.stringify(condition))
  if (bytes > limits.conditionBytes)
    throw errors.invalidParams([`condition: has ${bytes} bytes; at most ${limits.conditionBytes} are allowed`])
}

function namesOf(rows: readonly SegmentRow[]): Record<string, string> {
  return Object.fromEntries(rows.map(({ key, name }) => [key, name]))
}

function render(
  { id, key, name, scope, condition, created_at, updated_at }: SegmentRow,
  used_by: readonly SegmentUse[],
  names: Record<string, string>,
  warnings: readonly string[] = [],
): string {
  const parsed = JSON.parse(condition) as Condition
  const sentence = sentenceOf(parsed, names)
  return JSON.stringify({
    id,
    object: 'segment',
    condition: parsed,
    created_at,
    key,
    name,
    scope,
    sentence,
    updated_at,
    used_by,
    warnings,
  })
}
