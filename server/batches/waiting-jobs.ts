import type { EnvironmentId } from '../database/database.ts'
import { tuning } from '../tuning.ts'
import type { Ticket, WaitingItems } from './waiting-items.ts'
import type { KeyedJob, Work } from './work.ts'

/** Of a job that has to be carried out after others of its request. */
export interface JobOrder {
  /** Whether one of those before it failed, so that it has to fail too. */
  isBroken(): boolean
  /** Called when it fails without an answer. */
  break(): void
}

export interface Submission extends KeyedJob {
  readonly environmentId: EnvironmentId
  readonly work: Work<never, unknown>
  readonly submittedAt: number
  readonly order: JobOrder | undefined
}
export type Submitted = Ticket<Submission, unknown>

/**
 * The waiting jobs, in one queue for each environment. When more wait than fit into a batch, the environments are served
 * in turn, one job each: an environment with 10,000 jobs delays the single job of another by one batch. The jobs of an
 * environment keep their order.
 */
export class WaitingJobs implements WaitingItems<Submitted> {
  /** In the order in which the environments are served next. */
  readonly #queues = new Map<EnvironmentId, Submitted[]>()
  /** The queues of environments that wait for batches: slow ones, and ones that are tried again. */
  readonly #held = new Map<EnvironmentId, { batches: Set<readonly Submitted[]>; queue: Submitted[] }>()
  readonly #mostJobs: number
  #size = 0

  constructor(mostJobs: number = tuning.mostJobs) {
    this.#mostJobs = mostJobs
  }

  get size(): number {
    return this.#size
  }

  /** Includes the jobs of held environments. */
  get depth(): number {
    return this.#held.values().reduce((sum, { queue }) => sum + queue.length, this.#size)
  }

  push(ticket: Submitted): void {
    const { environmentId } = ticket.item
    const held = this.#held.get(environmentId)
    if (held) {
      held.queue.push(ticket)
      return
    }
    this.#size += 1
    const queue = this.#queues.get(environmentId)
    if (queue) queue.push(ticket)
    else this.#queues.set(environmentId, [ticket])
  }

  /** Jobs of the same work that it can mix, in the order of their environments: the order in which locks are taken. */
  take(most: number): Submitted[] {
    const places = Math.min(most, this.#mostJobs)
    const first = this.#queues.entries().next().value
    if (!first) return []
    const [environmentId, queue] = first
    const work = queue[0]?.item.work
    if (this.#queues.size === 1 || !work?.acrossEnvironments)
      return this.#takeOf(environmentId, mixable(queue, work, places))
    return this.#share(work, places).flatMap((share) => this.#takeOf(share.environmentId, share.count))
  }

  hold(batch: readonly Submitted[]): void {
    for (const environmentId of environmentsOf(batch)) {
      const held = this.#held.get(environmentId)
      held?.batches.add(batch)
      if (held) continue
      const queue = this.#queues.get(environmentId) ?? []
      this.#queues.delete(environmentId)
      this.#size -= queue.length
      this.#held.set(environmentId, { batches: new Set([batch]), queue })
    }
  }

  release(batch: readonly Submitted[], part: readonly Submitted[]): void {
    for (const environmentId of environmentsOf(part)) {
      const held = this.#held.get(environmentId)
      if (!held?.batches.delete(batch) || held.batches.size > 0) continue
      this.#held.delete(environmentId)
      if (held.queue.length > 0) this.#queues.set(environmentId, held.queue)
      this.#size += held.queue.length
    }
  }

  /** One job for each environment in turn, until the batch is full. */
  #share(work: Work<never, unknown>, places: number): Share[] {
    const shares: Share[] = []
    let left = places
    for (const [environmentId, queue] of this.#queues) {
      if (left === 0) break
      const ready = mixable(queue, work, places)
      if (ready === 0) continue
      shares.push({ environmentId, ready, count: 1 })
      left -= 1
    }
    for (let open = shares; left > 0 && open.length > 0; ) {
      open = open.filter(({ ready, count }) => ready > count)
      for (const share of open.slice(0, left)) {
        share.count += 1
        left -= 1
      }
    }
    return shares.sort((a, b) => a.environmentId - b.environmentId)
  }

  /** An environment with more waiting jobs goes to the end of the round. */
  #takeOf(environmentId: EnvironmentId, count: number): Submitted[] {
    const queue = this.#queues.get(environmentId) as Submitted[]
    this.#queues.delete(environmentId)
    this.#size -= count
    if (count === queue.length) return queue
    const taken = queue.splice(0, count)
    this.#queues.set(environmentId, queue)
    return taken
  }
}

interface Share {
  readonly environmentId: EnvironmentId
  /** How many jobs the environment has for this batch, and how many it gets into it. */
  readonly ready: number
  count: number
}

function mixable(queue: readonly Submitted[], work: Work<never, unknown> | undefined, most: number): number {
  const mixture = work?.mixture?.()
  let count = 0
  for (const { item } of queue) {
    if (count === most || item.work !== work || mixture?.accepts(item.job as never) === false) break
    count += 1
  }
  return count
}

function environmentsOf(batch: readonly Submitted[]): Set<EnvironmentId> {
  return new Set(batch.map(({ item }) => item.environmentId))
}
