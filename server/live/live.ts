import { randomUUID } from 'node:crypto'
import type { LiveMessage, LiveRequest } from '../../contract/dashboard/live.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import type { Log } from '../log.ts'
import { LiveBus, WATCHED_MS } from './bus.ts'
import { LiveFeed } from './feed.ts'
import type { LiveRecord } from './record.ts'

/** The most pending requests of one browser. Older ones are dropped and counted. */
const MOST_PENDING = 500
const HISTORY = 200
const MOST_WATCHERS = 200
/** Of them, so that one member or one account does not take all. A browser has one for each environment that it shows. */
const MOST_OF_MEMBER = 10
const MOST_OF_ACCOUNT = 100

/** Whose browser it is. */
export interface WatchingMember {
  memberId: string
  accountId: number
}

/** One browser that watches. */
interface Watcher {
  id: string
  member: WatchingMember
  environments: readonly EnvironmentId[]
  requests: LiveRequest[]
  leftOut: number
}

/** The requests of all nodes, for watching browsers. */
export class Live {
  readonly feed = new LiveFeed()
  readonly #bus: LiveBus
  readonly #watchers = new Set<Watcher>()
  #again: NodeJS.Timeout | undefined

  constructor(database: Database, log: Log) {
    this.#bus = new LiveBus(database, log, this.feed)
    this.#bus.onRequests = (environmentId, { requests, leftOut }, watcher) => {
      for (const request of requests) this.#hand(environmentId, request, watcher)
      this.#leaveOut(environmentId, leftOut)
    }
    this.feed.listen(this.#bus)
    this.feed.listen({
      add: (environmentId, request) => this.#hand(environmentId, request),
      leaveOut: (environmentId, count) => this.#leaveOut(environmentId, count),
    })
  }

  async start(): Promise<void> {
    await this.#bus.open()
  }

  async stop(): Promise<void> {
    clearInterval(this.#again)
    await this.#bus.close()
  }

  get watchers(): number {
    return this.#watchers.size
  }

  /** Whether there are too many: of this member, of this account, or in all. */
  isFullFor({ memberId, accountId }: WatchingMember): boolean {
    let [ofMember, ofAccount] = [0, 0]
    for (const { member } of this.#watchers) {
      if (member.memberId === memberId) ofMember += 1
      if (member.accountId === accountId) ofAccount += 1
    }
    return ofMember >= MOST_OF_MEMBER || ofAccount >= MOST_OF_ACCOUNT || this.watchers >= MOST_WATCHERS
  }

  /** Starts a watch. Undefined when there are too many. `take` returns what arrived since its last call. */
  watch(
    environments: readonly EnvironmentId[],
    member: WatchingMember,
  ): { take(): LiveMessage | undefined; stop(): void } | undefined {
    if (this.isFullFor(member)) return undefined
    const history = environments.flatMap((id) => this.feed.latest(id, HISTORY))
    const watcher: Watcher = {
      id: randomUUID(),
      member,
      environments,
      requests: history.sort((a, b) => (a.at < b.at ? -1 : 1)).slice(-HISTORY),
      leftOut: 0,
    }
    this.#watchers.add(watcher)
    for (const id of environments) this.#bus.watch(id, watcher.id)
    this.#again ??= setInterval(() => this.#watchAgain(), WATCHED_MS / 3).unref()
    return { take: () => take(watcher), stop: () => void this.#watchers.delete(watcher) }
  }

  /** A request by its id, from any node. */
  async find(environments: readonly EnvironmentId[], id: string): Promise<LiveRecord | undefined> {
    for (const environmentId of environments) {
      const found = this.feed.find(environmentId, id)
      if (found) return found
    }
    return await this.#bus.find(environments, id)
  }

  #watchAgain(): void {
    const watched = new Set([...this.#watchers].flatMap(({ environments }) => environments))
    for (const id of watched) this.#bus.watch(id, null)
  }

  /** To all watchers of the environment, or to one. */
  #hand(environmentId: EnvironmentId, request: LiveRequest, only: string | null = null): void {
    for (const watcher of this.#watchers) {
      if (!watcher.environments.includes(environmentId) || (only !== null && only !== watcher.id)) continue
      if (only !== null && watcher.requests.some(({ id }) => id === request.id)) continue
      watcher.requests.push(request)
      if (watcher.requests.length <= MOST_PENDING) continue
      watcher.requests.shift()
      watcher.leftOut += 1
    }
  }

  #leaveOut(environmentId: EnvironmentId, count: number): void {
    for (const watcher of this.#watchers) if (watcher.environments.includes(environmentId)) watcher.leftOut += count
  }
}

function take(watcher: Watcher): LiveMessage | undefined {
  const { requests, leftOut } = watcher
  if (requests.length === 0 && leftOut === 0) return undefined
  watcher.requests = []
  watcher.leftOut = 0
  return { at: new Date().toISOString(), requests, left_out: leftOut }
}
