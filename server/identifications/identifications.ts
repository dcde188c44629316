import { createHmac, type KeyObject } from 'node:crypto'
import type { ProofKind } from '../../contract/sdk/identity.ts'
import { type OfEnvironment, storeByEnvironment, takeAll } from '../database/by-environment.ts'
import type { Database, EnvironmentId, OpenTransaction } from '../database/database.ts'
import { logFailure } from '../database/log-failure.ts'
import { partsOf } from '../database/parts.ts'
import type { Log } from '../log.ts'
import {
  type FullSample,
  type Identified,
  insertIdentified,
  type LastIdentification,
  trimSamples,
  upsertLast,
} from './queries.ts'

const FLUSH_MS = 2_000
/** Between two flushes. Who is left out comes back with the next page. */
const MOST_ENVIRONMENTS = 10_000
const MOST_USERS_EACH = 5_000
/** Of all environments: with the longest ids and origins they take some 30 MB. */
const MOST_USERS = 20_000
/** Of these samples it is known that they are full; the others are asked again. */
const MOST_BOUNDS = 10_000

/** A user as a page has identified them, before they have a rank: the hash takes longer than all else. */
interface Seen {
  userId: string
  proof: ProofKind
  origin: string
  ms: number
}

interface Gathered {
  visitorKey: KeyObject
  last: LastIdentification
  /** By day, proof, origin and user. */
  users: Map<string, Seen>
}

/**
 * Who was identified last, and a sample of who was identified: kept in memory, and written every two seconds. A killed
 * process loses what it has gathered: this is for display only.
 */
export class Identifications {
  readonly #database: Database
  readonly #log: Log
  readonly #gathered = new Map<EnvironmentId, Gathered>()
  #bounds = new Map<string, number>()
  /** In all of `#gathered`. */
  #users = 0
  #flushing: Promise<void> | undefined
  readonly #timer: NodeJS.Timeout

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
    this.#timer = setInterval(() => {
      if (!this.#flushing) void this.flush()
    }, FLUSH_MS).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  /** `origin`: of the allowed ones; undefined for a program. */
  add(
    { environmentId, visitorKey }: { environmentId: EnvironmentId; visitorKey: KeyObject },
    { userId, proof, origin = '' }: { userId: string; proof: ProofKind; origin?: string | undefined },
    ms: number,
  ): void {
    const seen = { userId, proof, origin, ms }
    const gathered = this.#gathered.get(environmentId) ?? { visitorKey, last: seen, users: new Map() }
    if (gathered.last.ms <= ms) gathered.last = seen
    if (!this.#gathered.has(environmentId) && this.#gathered.size >= MOST_ENVIRONMENTS) return
    this.#gathered.set(environmentId, gathered)
    const key = `${new Date(ms).getUTCDate()} ${proof} ${origin} ${userId}`
    if (gathered.users.has(key)) gathered.users.set(key, seen)
    else if (gathered.users.size < MOST_USERS_EACH && this.#users < MOST_USERS) {
      gathered.users.set(key, seen)
      this.#users += 1
    }
  }

  async flush(): Promise<void> {
    while (this.#flushing) await this.#flushing
    this.#flushing = this.#store().finally(() => {
      this.#flushing = undefined
    })
    await this.#flushing
  }

  async #store(): Promise<void> {
    const store = async (transaction: OpenTransaction, entries: readonly OfEnvironment<Gathered>[]) => {
      const ranked = entries.map(({ environmentId, item }) => ({
        environmentId,
        item: { last: item.last, users: this.#ranked(environmentId, item) },
      }))
      const full = await storeGathered(transaction, ranked)
      if (this.#bounds.size + full.length > MOST_BOUNDS) this.#bounds = new Map()
      for (const { environment_id, bound, ...sample } of full) this.#bounds.set(nameOf(environment_id, sample), bound)
    }
    this.#users = 0
    await storeByEnvironment(this.#database, takeAll(this.#gathered), store, (environmentId, _, error) =>
      logFailure(this.#log, error, { environmentId }, 'could not store who was identified'),
    )
  }

  /** Those who may be in their samples; of two with one rank, one. */
  #ranked(environmentId: EnvironmentId, { visitorKey, users }: Gathered): Identified[] {
    const ranked = new Map<string, Identified>()
    for (const { userId, proof, origin, ms } of users.values()) {
      const rank = createHmac('sha256', visitorKey).update(userId).digest().readUInt32BE() >>> 1
      const sample = { day: new Date(ms).toISOString().slice(0, 10), origin, proof }
      const name = nameOf(environmentId, sample)
      if (rank <= (this.#bounds.get(name) ?? rank)) ranked.set(`${rank} ${name}`, { ...sample, rank, userId, ms })
    }
    return [...ranked.values()]
  }
}

interface Ranked {
  last: LastIdentification
  users: Identified[]
}

type Sample = Pick<Identified, 'day' | 'origin' | 'proof'>

const nameOf = (environmentId: EnvironmentId, { day, proof, origin }: Sample) =>
  `${environmentId} ${day} ${proof} ${origin}`

async function storeGathered(
  transaction: OpenTransaction,
  entries: readonly OfEnvironment<Ranked>[],
): Promise<FullSample[]> {
  const samples = ({ users }: Ranked): Sample[] => [
    ...new Map(users.map((one) => [`${one.day} ${one.proof} ${one.origin}`, one])).values(),
  ]
  const [, , full] = await Promise.all([
    upsertLast(
      transaction,
      partsOf(entries, ({ item }) => [item.last]),
    ),
    insertIdentified(
      transaction,
      partsOf(entries, ({ item }) => item.users),
    ),
    trimSamples(
      transaction,
      partsOf(entries, ({ item }) => samples(item)),
    ),
  ])
  return full
}
