import type { PlanProgress, PublicationPlan } from '../../../contract/dashboard/content.ts'
import { findInside } from '../../content/reach-queries.ts'
import { readTotals } from '../../counters/read.ts'
import type { EnvironmentId, Queryable } from '../../database/database.ts'
import { type PlanCall, planOf } from '../../decisions/publish-plan.ts'
import type { DashboardHandlers } from '../call.ts'
import type { DashboardParts } from '../parts.ts'
import { contentOf } from './detail.ts'
import { namesOf } from './names.ts'
import { referenceNames } from './reference-names.ts'

type Names = 'planPublication' | 'getPlanProgress'

/** What publishing would do, with the names of those it reaches. */
export function planHandlers({ services, decisions }: DashboardParts): Pick<DashboardHandlers, Names> {
  const { database, now } = services
  /** By content: how far the plans that this process makes have come. */
  const running = new Map<string, PlanProgress>()

  async function plan(id: EnvironmentId, call: PlanCall, signal: AbortSignal) {
    const { users } = await readTotals(database, id)
    const key = `${id} ${call.contentId}`
    const onStep = (looked: number) => running.set(key, { looked, users: Math.max(users, looked) })
    onStep(0)
    try {
      return await planOf({ database, decisions, now }, id, call, { signal, onStep })
    } finally {
      running.delete(key)
    }
  }

  return {
    getPlanProgress: async ({ environment: { id }, params }) => {
      const content = await contentOf(database, id, params.content_id)
      return running.get(`${id} ${content.id}`) ?? { looked: null, users: null }
    },

    planPublication: async ({ environment: { id }, params, query, exchange }) => {
      const content = await contentOf(database, id, params.content_id)
      const names = await referenceNames(database, id)
      const call = { contentId: content.id, expectedDraft: undefined, version: query.version, names }
      const [planned, inside] = await Promise.all([
        plan(id, call, exchange.signal()),
        findInside(database, id, content.id),
      ])
      return {
        number: planned.version.number,
        published_number: planned.published?.number ?? null,
        expected_draft: planned.expectedDraft,
        problems: planned.problems,
        warnings: planned.warnings,
        changes: planned.changes,
        gains: await named(database, id, planned.gains),
        losses: await named(database, id, planned.losses),
        inside: planned.inside,
        oldest_inside_at: inside.oldest,
        completed: inside.completed,
      }
    },
  }
}

type Reached = PublicationPlan['gains']
type Given = Omit<Reached, 'samples'> & { samples: Omit<Reached['samples'][number], 'name'>[] }

async function named(db: Queryable, id: EnvironmentId, given: Given): Promise<Reached> {
  const ids = given.samples.map(({ user_id }) => user_id)
  const names = await namesOf(db, id, ids)
  return { ...given, samples: given.samples.map((one) => ({ ...one, name: names.get(one.user_id) ?? null })) }
}
