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
  /** Since when all of it holds, by content and version. */
  readonly #since = new Map<string, number>()
  /** Since when `where` holds and the target is away. */
  readonly #missingSince = new Map<string, number>()
  readonly #told = new Set<string>()

  isReady(content: DecidedContent, asked: Asked): boolean {
    const key = `${content.id} ${content.version_id}`
    if (!this.#holds(key, content, asked)) {
      this.#since.delete(key)
      return false
    }
    const since = this.#since.get(key) ?? asked.now()
    this.#since.set(key, since)
    return asked.now() - since >= content.wait_ms
  }

  /** Whether its first target has been away for its timeout: true once for each version. */
  isMissing({ id, version_id, target }: DecidedContent, now: number): boolean {
    const key = `${id} ${version_id}`
    const since = this.#missingSince.get(key)
    if (!target || since === undefined || now - since < target.timeout_ms || this.#told.has(key)) return false
    this.#told.add(key)
    return true
  }

  #holds(key: string, { id, where, target }: DecidedContent, asked: Asked): boolean {
    if (where && !asked.holds(where, id)) {
      this.#missingSince.delete(key)
      return false
    }
    if (!target || asked.find(target.locators).element) {
      this.#missingSince.delete(key)
      return true
    }
    const since = this.#missingSince.get(key) ?? asked.now()
    this.#missingSince.set(key, since)
    const passes = target.on_missing === 'skip' || target.on_missing === 'center'
    return passes && asked.now() - since >= target.timeout_ms
  }
}

/** Whether it waits for elements of the page, so that these must be observed. */
export function waitsForElements({ where, target }: DecidedContent): boolean {
  return target !== null || (where !== null && asksForElements(where))
}

export function asksForElements(where: RenderedCondition): boolean {
  return [...leavesOf(where)].some((leaf) => 'element' in leaf || 'input' in leaf)
}
