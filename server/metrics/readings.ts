import { Counter, Gauge, type Registry } from 'prom-client'
import type { TableSize } from '../database/table-sizes.ts'
import type { WorkerAnswer } from '../database/workers.ts'
import type { GuidanceCounts, GuidanceFigures } from './guidance.ts'

/** Metrics that are read at the scrape. */
export interface MetricSources {
  pool: { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number }
  commits: { readonly depth: number }
  rateLimiter: { readonly refusals: number }
  concurrency: { readonly active: number; readonly waiting: number; readonly refusals: number }
}

/** The deliveries of this process since its start, and those in flight. */
export interface DeliveryFigures {
  inFlight: number
  sent: number
  failed: number
  /** Deliveries that were due too far ahead, from a wrong clock. */
  broughtBack: number
  /** How far the clock of this machine is ahead of that of the database; undefined until it is known. */
  clockAheadMs: number | undefined
  endpoints: { wentDown: number; recovered: number }
}

/** The waiting deliveries in the database, for all processes together. */
export interface BacklogFigures {
  waiting: number
  oldestMs: number
  downEndpoints: number
}

type Reading = [name: string, help: string, read: () => number | undefined]

export function serverReadings({ pool, commits, rateLimiter, concurrency }: MetricSources): Reading[] {
  return [
    ['usher_commit_queue_jobs', 'Writes that wait for their transaction.', () => commits.depth],
    ['usher_database_connections', 'Connections to the database.', () => pool.totalCount],
    ['usher_database_connections_idle', 'Unused connections to the database.', () => pool.idleCount],
    ['usher_database_waiting', 'Transactions and reads that wait for a connection.', () => pool.waitingCount],
    ['usher_active_requests', 'API requests at work.', () => concurrency.active],
    ['usher_waiting_requests', 'API requests that wait for their turn.', () => concurrency.waiting],
    ['usher_overload_refusals_total', 'Requests that found no turn: 503 overloaded.', () => concurrency.refusals],
    ['usher_rate_limit_refusals_total', 'Requests over the limit of their plan: 429.', () => rateLimiter.refusals],
  ]
}

export function deliveryReadings(figures: () => DeliveryFigures | undefined): Reading[] {
  return [
    ['usher_webhook_deliveries_inflight', 'Deliveries that are being sent.', () => figures()?.inFlight],
    ['usher_webhook_attempts_sent_total', 'Attempts that were acknowledged with 2xx.', () => figures()?.sent],
    ['usher_webhook_attempts_failed_total', 'Attempts that were not acknowledged.', () => figures()?.failed],
    [
      'usher_webhook_deliveries_brought_back_total',
      'Deliveries that a wrong clock had made due too late, and that were made due at once.',
      () => figures()?.broughtBack,
    ],
    [
      'usher_webhook_endpoint_outages_total',
      'Endpoints that went down: 20 failures in a row over an hour.',
      () => figures()?.endpoints.wentDown,
    ],
    [
      'usher_webhook_endpoint_recoveries_total',
      'Endpoints that recovered after they were down.',
      () => figures()?.endpoints.recovered,
    ],
  ]
}

/** For the process that is scraped: the processes of one machine have one clock. */
export function clockReadings(figures: () => DeliveryFigures | undefined): Reading[] {
  return [
    [
      'usher_clock_ahead_seconds',
      'How far the clock of this machine is ahead of that of the database.',
      () => secondsOf(figures()?.clockAheadMs),
    ],
  ]
}

export function backlogReadings(figures: () => BacklogFigures | undefined): Reading[] {
  return [
    [
      'usher_webhook_deliveries_waiting',
      'Deliveries not acknowledged yet, on all nodes; counted up to 100,000.',
      () => figures()?.waiting,
    ],
    [
      'usher_webhook_oldest_undelivered_seconds',
      'Age of the oldest delivery that is not acknowledged yet.',
      () => secondsOf(figures()?.oldestMs),
    ],
    [
      'usher_webhook_endpoints_down',
      'Endpoints that are down: 20 failures in a row over an hour, and no success since.',
      () => figures()?.downEndpoints,
    ],
  ]
}

export function guidanceReadings(counts: GuidanceCounts): Reading[] {
  return [
    ['usher_page_streams', 'Open streams of pages.', () => counts.streams()],
    [
      'usher_content_sessions_overdue',
      'Content sessions that the last round found over, and ends in steps; at most 100 for an environment.',
      () => counts.overdue,
    ],
    [
      'usher_content_sessions_ended_total',
      'Content sessions that the server ended: unpublished, replaced by a version, or without activity.',
      () => counts.ended,
    ],
  ]
}

export function publishedReadings(figures: () => GuidanceFigures | undefined): Reading[] {
  return [
    ['usher_content_published', 'Published content of all environments.', () => figures()?.published],
    ['usher_guidance_off_environments', 'Environments whose content is switched off.', () => figures()?.switchedOff],
  ]
}

export function registerTableSizes(registry: Registry, sizes: () => readonly TableSize[]): void {
  new Gauge({
    name: 'usher_table_bytes',
    help: 'What each table takes on the disk, with its indexes and partitions.',
    registers: [registry],
    labelNames: ['table'],
    collect() {
      this.reset()
      for (const { name, bytes } of sizes()) this.set({ table: name }, bytes)
    },
  })
}

export function registerWorkers(registry: Registry, workers: () => readonly WorkerAnswer[]): void {
  new Gauge({
    name: 'usher_cluster_worker_up',
    help: 'On a Citus cluster, whether this worker answers: 1, or 0 while its environments get 503.',
    registers: [registry],
    labelNames: ['worker'],
    collect() {
      this.reset()
      for (const { address, answers } of workers()) this.set({ worker: address }, answers ? 1 : 0)
    },
  })
}

function secondsOf(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000
}

/** A name that ends in `_total` is a counter, any other is a gauge. A reading that fails is left out. */
export function registerReadings(registry: Registry, readings: readonly Reading[]): void {
  for (const [name, help, read] of readings) {
    const labelled = { name, help, registers: [registry], labelNames: [] }
    if (name.endsWith('_total')) {
      new Counter({
        ...labelled,
        collect() {
          this.reset()
          this.inc(read() ?? 0)
        },
      })
    } else {
      new Gauge({
        ...labelled,
        collect() {
          const value = read()
          if (value === undefined) this.remove()
          else this.set(value)
        },
      })
    }
  }
}
