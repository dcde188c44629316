import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Reader } from '../database/database.ts'
import { type LogPosition, type StandbyState, standbyStateOf } from './position.ts'
import { shareNext } from './share-next.ts'

/**
 * Lists are read from a replica that is `used`. Every check sets the state; between checks it can only get worse:
 *
 * - `used` → `behind`: a list waited for it too long. It is not used until it has replayed what that list needed.
 * - `used` → `unreachable`: a statement lost its connection.
 */
export type ReplicaState =
  | 'used'
  /** It takes longer than a list waits to replay what was just committed. */
  | 'behind'
  /** Over the bound of `USHER_REPLICA_MAX_LAG_MS`. */
  | 'lagging'
  /** It cannot be reached, or does not answer. */
  | 'unreachable'
  /** It was promoted, or is the primary itself. */
  | 'not a standby'
  /** It does not follow the present primary, or has not said so yet. */
  | 'on another timeline'
  | 'of another database system'

export class ReplicaGone extends Error {}

/** A list that would wait longer is read from the primary. */
const MOST_WAIT_MS = 20
const POLL_MS = 1
/** Two positions a second for over eight minutes. The lag is measured from the oldest. */
const MOST_UNREACHED = 1_000

/** One PostgreSQL that replays the log of the primary. */
export class Replica {
  /** Without user and password. */
  readonly name: string
  readonly database: Database
  readonly #maxLagMs: number
  readonly #readState: () => Promise<StandbyState>
  readonly #reads = new Set<(error: Error) => void>()
  state: ReplicaState = 'unreachable'
  /** The age of the oldest position that is not replayed yet. */
  lagMs: number | undefined
  /** Lists that were read here. */
  readCount = 0
  #timeline = 0
  #primaryTimeline = 0
  #bytes = 0
  #missedBytes = 0
  #unreached: { atMs: number; bytes: number }[] = []

  constructor(name: string, database: Database, maxLagMs: number) {
    this.name = name
    this.database = database
    this.#maxLagMs = maxLagMs
    this.#readState = shareNext(() => standbyStateOf(database))
    // A standby that has crashed is behind what it had replayed before, until it has replayed it again.
    database.pool.on('error', () => {
      this.#bytes = 0
    })
  }

  /** `systemId` is that of the primary, `primary` its last known position. */
  async check(systemId: string, primary: LogPosition | undefined, nowMs: number): Promise<void> {
    const state = await this.#readState()
    this.#bytes = state.bytes
    this.#forgetOtherTimelines(state.timeline, primary?.timeline ?? this.#primaryTimeline)
    this.#unreached = this.#unreached.filter(({ bytes }) => bytes > state.bytes)
    const [oldest] = this.#unreached
    this.lagMs = oldest ? nowMs - oldest.atMs : 0
    if (primary && this.#unreached.length < MOST_UNREACHED) {
      this.#unreached.push({ atMs: nowMs, bytes: primary.bytes })
    }
    this.state = this.#judge(state, systemId, primary)
  }

  /** What a lost primary wrote last may never be replayed. */
  #forgetOtherTimelines(timeline: number, primaryTimeline: number): void {
    if (timeline === this.#timeline && primaryTimeline === this.#primaryTimeline) return
    this.#timeline = timeline
    this.#primaryTimeline = primaryTimeline
    this.#unreached = []
    this.#missedBytes = 0
  }

  #judge(state: StandbyState, systemId: string, primary: LogPosition | undefined): ReplicaState {
    if (state.systemId !== systemId) return 'of another database system'
    if (!state.isStandby) return 'not a standby'
    if (primary && primary.timeline !== state.timeline) return 'on another timeline'
    if ((this.lagMs as number) > this.#maxLagMs) return 'lagging'
    return state.bytes < this.#missedBytes ? 'behind' : 'used'
  }

  /** Whether the position is replayed, now or within `MOST_WAIT_MS`. */
  async reaches({ timeline, bytes }: LogPosition): Promise<boolean> {
    if (timeline !== this.#timeline) return false
    if (this.#bytes >= bytes) return true
    const end = new AbortController()
    const reached = await Promise.race([
      this.#replays(bytes, end.signal),
      sleep(MOST_WAIT_MS, false, { signal: end.signal }).catch(() => false),
    ])
    end.abort()
    if (!reached && this.state === 'used') {
      this.#missedBytes = bytes
      this.state = 'behind'
    }
    return reached
  }

  async #replays(bytes: number, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      const state = await this.#readState().catch(() => undefined)
      if (!state?.isStandby) return false
      this.#bytes = state.bytes
      if (state.bytes >= bytes) return true
      await sleep(POLL_MS)
    }
    return false
  }

  /** Fails at once when a check finds the replica unreachable. */
  read<T>(run: (db: Reader) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#reads.add(reject)
      run(this.database)
        .then((result) => {
          this.readCount += 1
          resolve(result)
        }, reject)
        .finally(() => this.#reads.delete(reject))
    })
  }

  leaveOut(): void {
    this.state = 'unreachable'
    this.#bytes = 0
    this.lagMs = undefined
    for (const reject of this.#reads) reject(new ReplicaGone(`the replica ${this.name} is gone`))
    this.#reads.clear()
  }
}
