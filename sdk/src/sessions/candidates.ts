import type { DecidedContent, RenderedCondition } from '../../../contract/content/rendered.ts'
import { leavesOf } from '../page/conditions.ts'
import type { Found } from '../page/find.ts'

/** What is asked about a page. */
export interface Asked {
  now(): number
  holds(where: RenderedCondition, contentId: string): boolean
  find(locators: readonly string[]): Found
}

/**
 * Which decided content may be claimed now: its `where` and its first target hold, and have held for its `wait` without a break.
 * A target that stays away for its timeout lets `skip` and `center` pass.
 */
export class Candidates {
  /** Since when all of it holds, by version. */
  #since = new Map<string, number | undefined>()
  /** Since when `where` holds and the target is away. */
  readonly #missingSince = new Map<string, number>()
  readonly #told = new Set<string>()

  isReady(content: DecidedContent, asked: Asked, isRunning: boolean): boolean {
    const { version_id, wait_ms } = content
    const holds = !isRunning && this.#holds(content, asked)
    const since = this.#since.get(version_id) ?? asked.now()
    this.#since.set(version_id, holds ? since : undefined)
    return holds && asked.now() - since >= wait_ms
  }

  /** Whether its first target has been away for its timeout: true once for each version. */
  isMissing({ version_id, target }: DecidedContent, now: number): boolean {
    const since = this.#missingSince.get(version_id) ?? Number.POSITIVE_INFINITY
    if (!target || now - since < target.timeout_ms || this.#told.has(version_id)) return false
    this.#told.add(version_id)
    return true
  }

  /** What is not offered waits anew when it is offered again, as what has run does. */
  keep(offered: readonly DecidedContent[]): void {
    this.#since = new Map(offered.map(({ version_id }) => [version_id, this.#since.get(version_id)]))
  }

  #holds({ id, version_id, where, target }: DecidedContent, asked: Asked): boolean {
    const isHere = !where || asked.holds(where, id)
    if (!isHere || !target || asked.find(target.locators).element) {
      this.#missingSince.delete(version_id)
      return isHere
    }
    const since = this.#missingSince.get(version_id) ?? asked.now()
    this.#missingSince.set(version_id, since)
    return /^(skip|center)$/.test(target.on_missing) && asked.now() - since >= target.timeout_ms
  }
}

/** Whether it waits for elements of the page, so that these must be observed. */
export function waitsForElements({ where, target }: DecidedContent): boolean {
  return target !== null || (where !== null && asksForElements(where))
}

export function asksForElements(where: RenderedCondition): boolean {
  return [...leavesOf(where)].some((leaf) => 'element' in leaf || 'input' in leaf)
}
