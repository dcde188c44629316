import { type CounterKind, kinds } from './steps.ts'

/** A refused request, as it is counted. */
export interface Refusal {
  status: number
  code: string
  field: string
  keyId: number
  requestId: string
  message: string
  at: number
}

export interface RefusalCount extends Refusal {
  count: number
}

/** The most reasons of one environment between two flushes. Further ones are counted as one reason. */
const MOST_REASONS = 100
const MOST_NAMES = 5_000

/** Counted in place: looking a counter up is the most expensive part of counting. */
export interface Count {
  count: number
}

/** The counts of one environment since the last flush. */
export class CounterTally {
  /** By kind and name. The name is empty for kinds without names. */
  readonly counts: Partial<Record<CounterKind, Map<string, Count>>> = {}
  readonly refusals = new Map<string, RefusalCount>()
  users = 0
  groups = 0
  /** Of requests; 0 when there were none. */
  lastAt = 0

  add(kind: CounterKind, name: string, count = 1): void {
    let names = this.counts[kind]
    if (!names) {
      names = new Map()
      this.counts[kind] = names
    }
    const known = names.get(name)
    if (known) known.count += count
    else if (names.size < MOST_NAMES) names.set(name, { count })
  }

  refuse(refusal: Refusal, count = 1): void {
    const key = `${refusal.status} ${refusal.code} ${refusal.keyId} ${refusal.field}`
    const known = this.refusals.get(key)
    if (known) this.refusals.set(key, { ...refusal, count: known.count + count })
    else if (this.refusals.size < MOST_REASONS) this.refusals.set(key, { ...refusal, count })
    else if (refusal.field !== '') this.refuse({ ...refusal, field: '', keyId: 0 }, count)
  }

  /** Adds the counts of another tally that could not be stored. */
  merge(other: CounterTally): void {
    for (const kind of Object.keys(kinds) as CounterKind[])
      for (const [name, { count }] of other.counts[kind] ?? []) this.add(kind, name, count)
    for (const refusal of other.refusals.values()) this.refuse(refusal, refusal.count)
    this.users += other.users
    this.groups += other.groups
    this.lastAt = Math.max(this.lastAt, other.lastAt)
  }
}
