import type { PublicationPlan } from '../../../contract/dashboard/content.ts'
import { findInside } from '../../content/reach-queries.ts'
import type { EnvironmentId, Queryable } from '../../database/database.ts'
import { planOf } from '../../decisions/publish-plan.ts'
import type { DashboardHandlers } from '../call.ts'
import type { DashboardParts } from '../parts.ts'
import { contentOf } from './detail.ts'
import { namesOf } from './names.ts'

/** What publishing would do, with the names of those it reaches. */
export function planHandlers({ services, decisions }: DashboardParts): Pick<DashboardHandlers, 'planPublication'> {
  const { database } = services
  return {
    planPublication: async ({ environment: { id }, params, query, exchange }) => {
      const content = await contentOf(database, id, params.content_id)
      const call = { contentId: content.id, expectedDraft: undefined, version: query.version }
      const [plan, inside] = await Promise.all([
        planOf({ database, decisions }, id, call, exchange.signal()),
        findInside(database, id, content.id),
      ])
      return {
        number: plan.version.number,
        published_number: plan.published?.number ?? null,
        expected_draft: plan.expectedDraft,
        problems: plan.problems,
        warnings: plan.warnings,
        changes: plan.changes,
        gains: await named(database, id, plan.gains),
        losses: await named(database, id, plan.losses),
        inside: plan.inside,
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
