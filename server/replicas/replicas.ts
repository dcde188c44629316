import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Reader } from '../database/database.ts'
import { isUnreachable } from '../database/errors.ts'
import { ApiError } from '../errors.ts'
import type { Log } from '../log.ts'
import { type LogPosition, primaryPosition, systemIdOf } from './position.ts'
import { type Replica, ReplicaGone, type ReplicaState } from './replica.ts'
import { shareNext } from './share-next.ts'

/** Where lists are read. `run` sees everything that was acknowledged before the call of `read`. It may be called twice. */
export interface ListReader {
  read<T>(run: (db: Reader) => Promise<T>): Promise<T>
}

const CHECK_MS = 500
/** A replica that does not answer for this long is not used. */
const SILENT_MS = 2_000

/**
 * Reads lists from replicas. Before each list the position of the primary is queried, once for concurrent lists. The list is
 * read from a replica that has replayed that position, so it shows everything that any node had acknowledged at the time
 * of the request. When there is no such replica, or reading there fails, the list is read from the primary.
 */
export class Replicas implements ListReader {
  readonly replicas: readonly Replica[]
  readonly #primary: Database
  readonly #log: Log
  readonly #position: () => Promise<LogPosition>
  #systemId: string | undefined
  #last = 0
  #timer: NodeJS.Timeout | undefined
  #checking: Promise<void> | undefined
  /** Lists that were read from the primary. */
  primaryReads = 0

  constructor(primary: Database, replicas: readonly Replica[], log: Log) {
    this.#primary = primary
    this.replicas = replicas
    this.#log = log
    this.#position = shareNext(() => primaryPosition(primary))
  }

  async start(): Promise<void> {
    await this.#checkAll()
    this.#timer = setInterval(() => {
      this.#checking ??= this.#checkAll().finally(() => {
        this.#checking = undefined
      })
    }, CHECK_MS)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#checking
    await Promise.all(this.replicas.map(({ database }) => database.close()))
  }

  async read<T>(run: (db: Reader) => Promise<T>): Promise<T> {
    const replica = await this.#choose()
    if (!replica) return await this.#readPrimary(run)
    try {
      return await replica.read(run)
    } catch (error) {
      if (error instanceof ApiError) throw error
      if (isUnreachable(error)) this.#change(replica, () => replica.leaveOut())
      return await this.#readPrimary(run)
    }
  }

  async #readPrimary<T>(run: (db: Reader) => Promise<T>): Promise<T> {
    this.primaryReads += 1
    return await run(this.#primary)
  }

  /** Round-robin over the usable replicas. */
  async #choose(): Promise<Replica | undefined> {
    const usable = this.replicas.filter(({ state }) => state === 'used')
    if (usable.length === 0) return undefined
    this.#last = (this.#last + 1) % usable.length
    const replica = usable[this.#last] as Replica
    const position = await this.#position().catch(() => undefined)
    return position && (await replica.reaches(position)) ? replica : undefined
  }

  /** A replica lags when it has not replayed the position that the primary had at the check before. */
  async #checkAll(): Promise<void> {
    // Each time: the address may lead to another database by now, and an old replica would be ahead of its log.
    this.#systemId = await systemIdOf(this.#primary).catch(() => this.#systemId)
    const systemId = this.#systemId
    if (systemId === undefined) return
    const position = await this.#position().catch(() => undefined)
    await Promise.all(this.replicas.map((replica) => this.#checkOne(replica, systemId, position)))
  }

  async #checkOne(replica: Replica, systemId: string, position: LogPosition | undefined): Promise<void> {
    const end = new AbortController()
    const silent = sleep(SILENT_MS, undefined, { signal: end.signal }).then(() => {
      throw new ReplicaGone('it does not answer')
    })
    const before = replica.state
    try {
      await Promise.race([replica.check(systemId, position, performance.now()), silent])
    } catch {
      replica.leaveOut()
    } finally {
      end.abort()
      silent.catch(() => {})
    }
    this.#logChange(replica, before)
  }

  #change(replica: Replica, change: () => void): void {
    const before = replica.state
    change()
    this.#logChange(replica, before)
  }

  #logChange(replica: Replica, before: ReplicaState): void {
    const { name, state } = replica
    if (state === before) return
    if (state === 'used') this.#log.info({ replica: name }, 'lists are read from this replica')
    else if (state !== 'behind') this.#log.warn({ replica: name, state }, 'the replica is left out')
  }
}
