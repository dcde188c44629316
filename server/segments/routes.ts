import { orderable } from '../../contract/queries.ts'
import type { SaveSegment } from '../../contract/requests/segments.ts'
import type { ApiHandlers } from '../api.ts'
import type { OriginOf } from '../audit/api-origin.ts'
import { isoTime } from '../clock.ts'
import type { EnvironmentId } from '../database/database.ts'
import { errors } from '../errors.ts'
import { LEAST_ID } from '../ids.ts'
import { takeHorizon, upToHorizon } from '../lists/horizon.ts'
import { listPage } from '../lists/list.ts'
import { parsePage } from '../lists/page.ts'
import { findPosition } from '../lists/position.ts'
import { renderList } from '../lists/response.ts'
import { renderDeleted } from '../objects/render.ts'
import type { Services } from '../services.ts'
import { answerWrite } from '../writes/answer-write.ts'
import { findIn, findMeanings, type SegmentRow, segmentSource } from './queries.ts'
import { checkCondition, conditionWarnings, countMembers, explainMember } from './questions.ts'
import { findUses } from './uses.ts'
import { namesOf, type SentenceWords, segmentObject } from './views.ts'
import { refusalOf, removeSegments, rowOf, type SavedSegment, saveSegments } from './works.ts'

const KIND = 'Segment'

export function segmentHandlers(services: Services, originOf: OriginOf) {
  const { database, commits } = services
  return {
    saveSegment: async (call) => {
      const { environmentId } = call.grant
      const job = savedSegment(call.body)
      const warnings = await conditionWarnings(database, environmentId, job.condition)
      if (call.body.dry_run) return await tryOut(environmentId, job, warnings)
      const words = await findWords(environmentId)
      return await answerWrite(
        services,
        saveSegments,
        call,
        { job, origin: await originOf(call) },
        ({ uses, ...row }) => render(row, uses, words, warnings),
      )
    },

    countSegment: async ({ grant: { environmentId }, body, exchange }) =>
      JSON.stringify((await countMembers(services, environmentId, body, exchange.signal())).counted),

    explainSegment: async ({ grant: { environmentId }, body }) =>
      JSON.stringify(await explainMember(services, environmentId, body)),

    getSegment: async ({ grant: { environmentId }, params: { segment_id } }) => {
      const { rows, renderRow } = await readSegments(environmentId)
      const row = findIn(rows, segment_id)
      if (!row) throw errors.notFound(KIND, segment_id)
      return renderRow(row)
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
      const { renderRow } = await readSegments(environmentId)
      return renderList(
        address(),
        query,
        page,
        page.rows.map((row) => renderRow(row)),
      )
    },
  } satisfies Partial<ApiHandlers>

  async function tryOut(environmentId: EnvironmentId, job: SavedSegment, warnings: string[]): Promise<string> {
    const { rows, renderRow } = await readSegments(environmentId)
    const before = rows.find(({ key }) => key === job.key)
    const refusal = await refusalOf(database, environmentId, job, before, rows)
    if (refusal) throw refusal
    const row = rowOf(job, before, () => LEAST_ID, isoTime(Date.now()))
    return renderRow(row, warnings)
  }

  /** All segments of an environment, and how one is answered with what uses it. */
  async function readSegments(environmentId: EnvironmentId) {
    const { rows, keptDays } = await findMeanings(database, environmentId)
    const uses = await findUses(database, environmentId, rows)
    const words = { names: namesOf(rows), keptDays }
    const renderRow = (row: SegmentRow, warnings?: string[]) => render(row, uses.get(row.key) ?? [], words, warnings)
    return { rows, renderRow }
  }

  async function findWords(environmentId: EnvironmentId): Promise<SentenceWords> {
    const { rows, keptDays } = await findMeanings(database, environmentId)
    return { names: namesOf(rows), keptDays }
  }
}

/** The segment of a request, with its condition checked. */
function savedSegment({ key, name, scope, condition }: SaveSegment): SavedSegment {
  const chosen = scope ?? 'user'
  checkCondition(condition, chosen)
  return { key, name: name ?? undefined, scope: chosen, condition }
}

function render(...given: Parameters<typeof segmentObject>): string {
  return JSON.stringify(segmentObject(...given))
}
