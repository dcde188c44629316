import type { Report } from '../../contract/sdk/protocol.ts'
import { targetName } from '../results/target-names.ts'
import type { VersionShape } from './shape.ts'

/**
 * The counts that reports add to: which locator of a step found its element, or that none did. A locator that the version does
 * not have is not counted: a page can send any text.
 */
export function triedTargets(reports: readonly Report[], { versionId, steps }: VersionShape): string[] {
  return reports.flatMap((report) => {
    if (report.type !== 'step_seen' && report.type !== 'target_missing') return []
    const locators = steps.find(({ key }) => key === report.step)?.locators ?? []
    if (locators.length === 0) return []
    if (report.type === 'target_missing') return [targetName(versionId, report.step, null)]
    const place = report.locator === undefined ? -1 : locators.indexOf(report.locator)
    return place < 0 ? [] : [targetName(versionId, report.step, place)]
  })
}
