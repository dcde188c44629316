import type { Run } from './stage.ts'
import { placeOfRun } from './wishes.ts'

/** The sessions of this page, each as a run. */
export class Runs {
  /** What has each place. */
  readonly shown = new Map<string, Run>()
  /** Those that were hidden for so long that they gave up their place. */
  readonly parked = new Set<Run>()
  /** Those that are over while the server may not know it. */
  readonly untold = new Set<Run>()

  get live(): readonly Run[] {
    return [...this.shown.values(), ...this.parked]
  }

  /** The decision may still offer what they show. */
  get all(): readonly Run[] {
    return [...this.live, ...this.untold]
  }

  isShown(run: Run): boolean {
    return this.shown.get(placeOfRun(run)) === run
  }

  hasContent(id: string): boolean {
    return this.all.some(({ session }) => session.claim.content_id === id)
  }

  clear(): void {
    for (const some of [this.shown, this.parked, this.untold]) some.clear()
  }
}
