import type { EventLeaf } from '../../contract/conditions/condition.ts'
import { durationMs } from '../../contract/conditions/duration.ts'
import { readDateTime } from '../../contract/datetime.ts'
import { type ValueTest, valueTest } from './value-test.ts'

/** A bounded read of the index of events: how many of a name there are in a window, counted up to `most`. */
export interface Probe {
  readonly by: 'user' | 'group'
  readonly event: string
  /** So many milliseconds before now. */
  readonly withinMs: number | null
  /** Milliseconds since 1970. */
  readonly since: number | null
  /** Not before the user was created. */
  readonly sinceCreated: boolean
  readonly where: readonly WhereTest[] | undefined
  most: number
}

export interface WhereTest extends ValueTest {
  readonly attribute: string
}

/** How many entries decide a leaf. */
function mostOf({ at_least = 1, at_most }: EventLeaf): number {
  return at_most === undefined ? at_least : at_most + 1
}

export function probeOf(leaf: EventLeaf): Probe {
  const { event, within, since, by = 'user', where } = leaf
  return {
    by,
    event,
    withinMs: within === undefined ? null : durationMs(within),
    since: since === undefined || since === 'created_at' ? null : (readDateTime(since)?.milliseconds ?? null),
    sinceCreated: since === 'created_at',
    where: where?.map(({ attribute, ...comparison }) => ({ attribute, ...valueTest(comparison) })),
    most: mostOf(leaf),
  }
}

/** The probes of many conditions, each different one once. */
export class Probes {
  readonly list: Probe[] = []
  readonly #numbers = new Map<string, number>()

  /** The number of the probe of this leaf. */
  add(leaf: EventLeaf): number {
    const probe = probeOf(leaf)
    const { most, ...rest } = probe
    // A `where` that finds its number among the newest events is decided, where one that needs more may stay unknown.
    const key = JSON.stringify(probe.where ? probe : rest)
    const known = this.#numbers.get(key)
    if (known !== undefined) {
      const first = this.list[known] as Probe
      first.most = Math.max(first.most, most)
      return known
    }
    this.#numbers.set(key, this.list.length)
    return this.list.push(probe) - 1
  }
}
