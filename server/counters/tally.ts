import type { Kind } from './steps.ts'

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

/** Reasons that one environment can have between two flushes; what comes beyond them is counted as one. */
const MOST_REASONS = 100
const MOST_NAMES = 5_000

/** What was counted in one environment since the last flush. */
export class Tally {
  /** By kind and name. The name is empty where there is nothing to tell apart. */
  readonly counts = new Map<Kind, Map<string, number>>()
  readonly refusals = new Map<string, RefusalCount>()
  users = 0
  groups = 0
  /** Of requests; 0 when there were none. */
  lastAt = 0

  add(kind: Kind, name: string, count = 1): void {
    let names = this.counts.get(kind)
    if (!names) {
      names = new Map()
      this.counts.set(kind, names)
    }
    const before = names.get(name)
    if (before === undefined && names.size >= MOST_NAMES) return
    names.set(name, (before ?? 0) + count)
  }

  refuse(refusal: Refusal, count = 1): void {
    const key = `${refusal.status} ${refusal.code} ${refusal.keyId} ${refusal.field}`
    const known = this.refusals.get(key)
    if (known) this.refusals.set(key, { ...refusal, count: known.count + count })
    else if (this.refusals.size < MOST_REASONS) this.refusals.set(key, { ...refusal, count })
    else if (refusal.field !== '') this.refuse({ ...refusal, field: '', keyId: 0 }, count)
  }

  /** Adds what another has, when that could not be stored. */
  merge(other: Tally): void {
    for (const [kind, names] of other.counts) for (const [name, count] of names) this.add(kind, name, count)
    for (const refusal of other.refusals.values()) this.refuse(refusal, refusal.count)
    this.users += other.users
    this.groups += other.groups
    this.lastAt = Math.max(this.lastAt, other.lastAt)
  }
}
