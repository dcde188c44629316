import { GatheredReads } from '../batches/gathered-reads.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import type { Owner } from '../deletions/pending.ts'
import { type Counts, countProbes, type ProbeSubject } from './probe-queries.ts'
import type { Probe } from './probes.ts'

interface Wanted extends ProbeSubject {
  readonly now: number
}

/** The probes of one kind of owner: their numbers among all, and the reads of them that are gathered. */
interface Counting {
  readonly numbers: readonly number[]
  readonly reads: GatheredReads<Wanted, Counts>
}

/** The most probes of all subjects of a statement. */
const MOST_TOGETHER = 2_000

/** Counts events. Concurrent reads of the same probes, which those of an environment are, become one statement. */
export class ProbeReader {
  readonly #database: Database
  /** By the probes of compiled conditions. */
  readonly #countings = new WeakMap<readonly Probe[], Record<Owner, Counting>>()

  constructor(database: Database) {
    this.#database = database
  }

  /** The counts of the probes of this kind of owner, by their numbers. Of the others it is 0. */
  async count(
    environmentId: EnvironmentId,
    owner: Owner,
    probes: readonly Probe[],
    subject: ProbeSubject,
    now: number,
  ): Promise<Counts> {
    const { numbers, reads } = this.#countingsOf(probes)[owner]
    const counts: Counts = probes.map(() => 0)
    if (numbers.length === 0) return counts
    const found = await reads.find(environmentId, { ...subject, now })
    for (const [index, number] of numbers.entries()) counts[number] = found[index] as number | null
    return counts
  }

  #countingsOf(probes: readonly Probe[]): Record<Owner, Counting> {
    const known = this.#countings.get(probes)
    if (known) return known
    const made = { user: this.#countingOf(probes, 'user'), group: this.#countingOf(probes, 'group') }
    this.#countings.set(probes, made)
    return made
  }

  #countingOf(probes: readonly Probe[], owner: Owner): Counting {
    const numbers = [...probes.keys()].filter((number) => probes[number]?.by === owner)
    const own = numbers.map((number) => probes[number] as Probe)
    const most = Math.ceil(MOST_TOGETHER / Math.max(1, own.length))
    const reads = new GatheredReads<Wanted, Counts>(
      this.#database,
      (db, parts) =>
        Promise.all(
          parts.map(({ environmentId, items }) =>
            countProbes(db, environmentId, owner, own, items, Math.max(...items.map(({ now }) => now))),
          ),
        ),
      most,
    )
    return { numbers, reads }
  }
}
