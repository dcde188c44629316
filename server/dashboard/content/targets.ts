import type { ContentDocument, Target } from '../../../contract/content/document.ts'
import { stepTitle } from '../../../contract/content/step-title.ts'
import type { TargetResult } from '../../../contract/dashboard/results.ts'
import { LAUNCHER_STEP } from '../../../contract/sdk/protocol.ts'
import { findTargetHealth, type TargetHealth } from '../../results/target-health.ts'
import type { DashboardHandlers } from '../call.ts'
import type { DashboardParts } from '../parts.ts'
import { contentOf } from './detail.ts'
import { shownVersion } from './shown-version.ts'

/** How often pages found the elements that the steps of a version are attached to, and by which locator. */
export function targetHandlers({ services: { database } }: DashboardParts): Pick<DashboardHandlers, 'listTargets'> {
  return {
    listTargets: async ({ environment: { id }, params, query }) => {
      const content = await contentOf(database, id, params.content_id)
      const version = await shownVersion(database, id, content, query.version)
      const health = await findTargetHealth(database, id, version.id, Date.now())
      return { number: version.number, data: targetsOf(JSON.parse(version.document) as ContentDocument, health) }
    },
  }
}

function targetsOf(document: ContentDocument, health: ReadonlyMap<string, TargetHealth>): TargetResult[] {
  if (document.type === 'launcher')
    return [targetOf({ step: LAUNCHER_STEP, title: document.name, number: 0 }, document.target, health)]
  if (document.type !== 'flow') return []
  return document.steps.flatMap((step, index) =>
    step.type === 'tooltip'
      ? [targetOf({ step: step.key, title: stepTitle(step), number: index + 1 }, step.target, health)]
      : [],
  )
}

function targetOf(
  of: Pick<TargetResult, 'step' | 'title' | 'number'>,
  { locators }: Target,
  health: ReadonlyMap<string, TargetHealth>,
): TargetResult {
  const known = health.get(of.step)
  const hours = known?.hours ?? []
  return {
    ...of,
    locators: locators.map((locator, place) => ({ locator, found: known?.byLocator.get(place) ?? 0 })),
    missing: hours.reduce((sum, { missing }) => sum + missing, 0),
    hours,
    missing_since: known?.missingSince ?? null,
    last_at: known?.lastAt ?? null,
  }
}
