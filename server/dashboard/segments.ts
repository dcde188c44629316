import type { Attributes } from '../../contract/attributes.ts'
import { isoTime } from '../clock.ts'
import { readTotals } from '../counters/read.ts'
import type { EnvironmentId } from '../database/database.ts'
import { explain } from '../segments/explain.ts'
import { findMeanings } from '../segments/queries.ts'
import { type Asked, askedCondition, checkCondition, countMembers, explainMember } from '../segments/questions.ts'
import { type Sampled, sampleAround } from '../segments/selected.ts'
import { type ChangedSegment, removeSegments, saveSegments } from '../segments/works.ts'
import { actorOf, type DashboardCall, type DashboardHandlers, DONE } from './call.ts'
import { contentNames } from './content/reference-names.ts'
import { publishRight } from './content/rights.ts'
import type { DashboardParts } from './parts.ts'
import { recentValues } from './recent-values.ts'
import { readSegment, readSegments } from './segment-views.ts'

type Names =
  | 'listSegments'
  | 'getSegment'
  | `${'create' | 'update' | 'delete'}Segment`
  | `${'count' | 'sample' | 'explain'}Condition`
  | 'listSegmentsOf'
  | 'listValues'

const SAMPLES = 4

/** Segments, and questions about conditions, by the functions of the public API. */
export function segmentHandlers({ services }: DashboardParts): Pick<DashboardHandlers, Names> {
  const { database, commits, facts } = services

  async function save(call: DashboardCall<'createSegment'> | DashboardCall<'updateSegment'>, job: ChangedSegment) {
    const { environment } = call
    if (job.condition) checkCondition(job.condition, job.scope)
    const origin = { actor: actorOf(call), environment: environment.slug }
    const { key } = await commits.submit(saveSegments, environment.id, { job, origin, right: publishRight(call) })
    return await readSegment(database, environment.id, key)
  }

  /** What the counters have: they are written late, and a process that is killed loses some. */
  async function estimatedTotal(environmentId: EnvironmentId, scope: 'user' | 'group'): Promise<number> {
    return (await readTotals(database, environmentId))[scope === 'group' ? 'groups' : 'users']
  }

  async function sampleOf(environmentId: EnvironmentId, asked: Asked, sampled: Sampled) {
    const ids = { userId: undefined, groupId: undefined, [`${asked.scope}Id`]: sampled.id }
    const { met, leaves, sentence } = await explain(facts, { ...asked, environmentId, ...ids })
    const held = leaves.filter((leaf) => leaf.met === true).map((leaf) => leaf.sentence)
    const { name, email } = JSON.parse(sampled.attributesJson) as Attributes
    return {
      id: sampled.id,
      name: textOf(name) ?? textOf(email),
      sentence: met === true ? held.slice(0, 3).join('; ') : sentence,
    }
  }

  return {
    listSegments: async ({ environment }) => ({ data: await readSegments(database, environment.id) }),
    getSegment: ({ environment, params }) => readSegment(database, environment.id, params.segment_id),
    createSegment: (call) => save(call, { ...call.body, isNew: true }),

    updateSegment: async (call) => {
      const { id, key, scope } = await readSegment(database, call.environment.id, call.params.segment_id)
      const { name, condition, expected } = call.body
      return await save(call, { id, key, scope, name, condition: condition ?? undefined, expected })
    },

    deleteSegment: async (call) => {
      const { environment } = call
      const { id } = await readSegment(database, environment.id, call.params.segment_id)
      const origin = { actor: actorOf(call), environment: environment.slug }
      await commits.submit(removeSegments, environment.id, { job: id, origin, right: publishRight(call) })
      return DONE
    },

    countCondition: async ({ environment, body, exchange }) => {
      const startedAt = performance.now()
      const question = { ...body, contentNames: await contentNames(database, environment.id) }
      const { total, counted: found } = await countMembers(services, environment.id, question, exchange.signal())
      const { object: _, margin = null, ...counted } = found
      const took_ms = Math.round(performance.now() - startedAt)
      return {
        ...counted,
        margin,
        total: total ?? Math.max(await estimatedTotal(environment.id, body.scope ?? 'user'), counted.count),
        at: isoTime(Date.now()),
        took_ms,
      }
    },

    sampleCondition: async ({ environment, body }) => {
      const question = { ...body, contentNames: await contentNames(database, environment.id) }
      const asked = await askedCondition(database, environment.id, question, body.scope)
      const sampled = await sampleAround(database, environment.id, asked, SAMPLES, services.now())
      const shown = (lacking: number) =>
        Promise.all(sampled.filter((one) => one.lacking === lacking).map((one) => sampleOf(environment.id, asked, one)))
      const [matches, misses] = await Promise.all([shown(0), shown(1)])
      return { matches, misses }
    },

    listValues: async ({ environment, query }) => ({ data: await recentValues(database, environment.id, query) }),

    explainCondition: async ({ environment, body }) =>
      await explainMember(services, environment.id, {
        ...body,
        contentNames: await contentNames(database, environment.id),
      }),

    listSegmentsOf: async ({ environment, query: { scope, id } }) => {
      const { rows, ...meanings } = await findMeanings(database, environment.id)
      const names = { content: await contentNames(database, environment.id) }
      const ids = { userId: undefined, groupId: undefined, [`${scope}Id`]: id }
      const asked = rows.filter((row) => row.scope === scope)
      const data = await Promise.all(
        asked.map(async ({ key, name, condition }) => {
          const request = {
            environmentId: environment.id,
            condition: JSON.parse(condition),
            ...meanings,
            ...ids,
            names,
          }
          const { met, sentence } = await explain(facts, request)
          return { key, name, is_in: met, sentence }
        }),
      )
      return { data: data.toSorted((a, b) => Number(b.is_in) - Number(a.is_in)) }
    },
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
