import type { EnvironmentId } from '../../database/database.ts'

/** Which environments to look at for due deliveries, and when. */
export class Agenda {
  readonly #at = new Map<EnvironmentId, number>()

  /** The earliest of the times that are noted for an environment counts. */
  note(environmentId: EnvironmentId, atMs: number): void {
    if (atMs === Number.POSITIVE_INFINITY) return
    const known = this.#at.get(environmentId)
    if (known === undefined || atMs < known) this.#at.set(environmentId, atMs)
  }

  /** Takes out the environments whose time has come. */
  take(nowMs: number): EnvironmentId[] {
    const due = [...this.#at].filter(([, atMs]) => atMs <= nowMs).map(([environmentId]) => environmentId)
    for (const environmentId of due) this.#at.delete(environmentId)
    return due
  }

  get nextMs(): number {
    return Math.min(...this.#at.values(), Number.POSITIVE_INFINITY)
  }
}
