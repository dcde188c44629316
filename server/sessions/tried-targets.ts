import { LAUNCHER_STEP, type Report } from '../../contract/sdk/protocol.ts'
import { targetName } from '../results/target-names.ts'
import type { VersionShape } from './shape.ts'

/**
 * The counts that reports add to: which locator of a step, or of a launcher, found its element, or that none did. A locator that
 * the version does not have is not counted: a page can send any text.
 */
export function triedTargets(reports: readonly Report[], shape: VersionShape): string[] {
  return reports.flatMap((report) => {
    if (report.type !== 'step_seen' && report.type !== 'target_missing' && report.type !== 'shown') return []
    const step = shape.type === 'launcher' ? LAUNCHER_STEP : report.type === 'shown' ? '' : report.step
    const locators = step === LAUNCHER_STEP && shape.type === 'launcher' ? shape.locators : locatorsOf(step, shape)
    if (locators.length === 0) return []
    if (report.type === 'target_missing') return [targetName(shape.versionId, step, null)]
    const place = report.locator === undefined ? -1 : locators.indexOf(report.locator)
    return place < 0 ? [] : [targetName(shape.versionId, step, place)]
  })
}

const locatorsOf = (step: string, { steps }: VersionShape) => steps.find(({ key }) => key === step)?.locators ?? []
