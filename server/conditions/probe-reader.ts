import { GatheredReads } from '../batches/gathered-reads.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import type { Part } from '../database/parts.ts'
import type { Owner } from '../deletions/pending.ts'
import { type Counts, countProbes, countProbesOfMany, type ProbeSubject } from './probe-queries.ts'
import type { Probe } from './probes.ts'
import { inScanTurn } from './scan-turns.ts'

interface Wanted extends ProbeSubject {
  readonly probes: readonly Probe[]
  readonly now: number
}

type Reads = GatheredReads<Wanted, Counts>

/** The probes of one kind of owner: their numbers among all, they themselves, and the reads of them that are gathered. */
interface Counting {
  readonly numbers: readonly number[]
  readonly own: readonly Probe[]
  readonly reads: Reads
}

/** The most probes of all subjects of a statement. */
const MOST_TOGETHER = 2_000
/** The most entries of the index that all probes of a subject may read, to be read with those of other environments. */
const MOST_SHARED = 200

/** Counts events. Concurrent reads of few entries become one statement, over all environments. */
export class ProbeReader {
  readonly #database: Database
  /** By the probes of compiled conditions. */
  readonly #countings = new WeakMap<readonly Probe[], Record<Owner, Counting>>()
  readonly #shared: Record<Owner, Reads>

  constructor(database: Database) {
    this.#database = database
    this.#shared = { user: this.#gathered('user'), group: this.#gathered('group') }
  }

  /**
   * The counts of the probes of this kind of owner, by their numbers. Of the others it is 0. Of conditions that are compiled for
   * one request no reads are gathered: those that read much take turns.
   */
  async count(
    environmentId: EnvironmentId,
    owner: Owner,
    probes: readonly Probe[],
    subject: ProbeSubject,
    now: number,
    isAskedOnce = false,
  ): Promise<Counts> {
    const { numbers, own, reads } = this.#countingsOf(probes)[owner]
    const counts: Counts = probes.map(() => 0)
    if (numbers.length === 0) return counts
    const find = () => reads.find(environmentId, { ...subject, probes: own, now })
    const found =
      isAskedOnce && reads !== this.#shared[owner]
        ? await inScanTurn(this.#database, environmentId, find)
        : await find()
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

  /** What reads much is read with reads of the same probes alone, so that no other environment waits for it. */
  #countingOf(probes: readonly Probe[], owner: Owner): Counting {
    const numbers = [...probes.keys()].filter((number) => probes[number]?.by === owner)
    const own = numbers.map((number) => probes[number] as Probe)
    const isShared = !this.#database.isDistributed && readsLittle(own)
    return { numbers, own, reads: isShared ? this.#shared[owner] : this.#gathered(owner) }
  }

  #gathered(owner: Owner): Reads {
    const readAll = (db: Database, parts: readonly Part<Wanted>[]) => countParts(db, owner, parts)
    return new GatheredReads(this.#database, readAll, MOST_TOGETHER, ({ probes }) => probes.length)
  }
}

function readsLittle(probes: readonly Probe[]): boolean {
  return probes.every(({ where }) => !where) && probes.reduce((sum, { most }) => sum + most, 0) <= MOST_SHARED
}

async function countParts(db: Database, owner: Owner, parts: readonly Part<Wanted>[]): Promise<Counts[][]> {
  const now = Math.max(...parts.flatMap(({ items }) => items.map((item) => item.now)))
  const probes = parts[0]?.items[0]?.probes ?? []
  if (parts.length === 1 && parts.every(({ items }) => items.every((item) => item.probes === probes)))
    return await Promise.all(
      parts.map(({ environmentId, items }) => countProbes(db, environmentId, owner, probes, items, now)),
    )
  const subjects = parts.flatMap(({ environmentId, items }) => items.map((item) => ({ ...item, environmentId })))
  const counts = (await countProbesOfMany(db, owner, subjects, now)).values()
  return parts.map(({ items }) => items.map(() => counts.next().value as Counts))
}
