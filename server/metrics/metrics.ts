import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  type MetricObjectWithValues,
  Registry,
} from 'prom-client'
import type { TableSize } from '../database/table-sizes.ts'
import { within } from '../database/within.ts'
import type { WorkerAnswer } from '../database/workers.ts'
import { GuidanceCounts, type GuidanceFigures, registerGuidanceCounts } from './guidance.ts'
import { PlainHistogram } from './histogram.ts'
import {
  type BacklogFigures,
  backlogReadings,
  clockReadings,
  type DeliveryFigures,
  deliveryReadings,
  guidanceReadings,
  type MetricSources,
  publishedReadings,
  registerReadings,
  registerTableSizes,
  registerWorkers,
  serverReadings,
} from './readings.ts'

const LATENCY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]
/** Prometheus waits for 10 s, and a database that hangs answers no sooner. */
const DATABASE_MS = 2_000
const BATCH_JOBS = [1, 2, 5, 10, 20, 50, 100, 200, 500]

/** The responses of one operation, by error code; the empty code counts successes. */
type Counts = Map<string, { status: number; count: number }>

/** The figures of one process, in a form that can be sent to another and added up. */
export type ProcessFigures = MetricObjectWithValues<{ value: number; labels: object }>[]

export interface WebhookSources {
  delivery(): DeliveryFigures
  backlog(): Promise<BacklogFigures>
}

/** Undefined when the database fails, or does not answer in time. */
async function inTime<T>(answer: Promise<T> | undefined): Promise<T | undefined> {
  return await within<T | undefined>(
    DATABASE_MS,
    answer?.catch(() => undefined) ?? Promise.resolve(undefined),
    undefined,
  )
}

/** The metrics for Prometheus: the figures of each process, added up over the workers, and those of the database. */
export class Metrics {
  /** Of this process. */
  readonly #registry = new Registry()
  /** Of the whole installation. Only the scraped process reads them. */
  readonly #common = new Registry()
  readonly #requests = new Map<string, Counts>()
  readonly #latency: PlainHistogram
  readonly #batchJobs: (jobs: number) => void
  readonly #flushSeconds: (seconds: number) => void
  #webhooks: WebhookSources | undefined
  #backlog: BacklogFigures | undefined
  #tableSizes: (() => Promise<TableSize[]>) | undefined
  #sizes: readonly TableSize[] = []
  #askWorkers: (() => Promise<WorkerAnswer[]>) | undefined
  #workers: readonly WorkerAnswer[] = []
  /** What guided flows count. */
  readonly guidance = new GuidanceCounts()
  #published: (() => Promise<GuidanceFigures>) | undefined
  #guidanceFigures: GuidanceFigures | undefined
  #gather: (() => Promise<ProcessFigures[]>) | undefined
  #processes = 1

  constructor(sources: MetricSources, version: string) {
    collectDefaultMetrics({ register: this.#registry })
    registerReadings(this.#registry, [
      ...serverReadings(sources),
      ...deliveryReadings(() => this.#webhooks?.delivery()),
      ...guidanceReadings(this.guidance),
    ])
    registerGuidanceCounts(this.#registry, this.guidance, (operation) => this.#responsesOf(operation))
    registerReadings(this.#common, [
      ...backlogReadings(() => this.#backlog),
      ...clockReadings(() => this.#webhooks?.delivery()),
      ...publishedReadings(() => this.#guidanceFigures),
      ['usher_processes', 'Server processes whose figures are in this answer.', () => this.#processes],
    ])
    this.#latency = new PlainHistogram(
      this.#registry,
      'usher_http_request_seconds',
      'Time from the headers of a request to the end of its response.',
      LATENCY_SECONDS,
    )
    this.#batchJobs = new PlainHistogram(
      this.#registry,
      'usher_commit_batch_jobs',
      'Writes that shared a transaction.',
      BATCH_JOBS,
    ).with()
    this.#flushSeconds = new PlainHistogram(
      this.#registry,
      'usher_commit_flush_seconds',
      'Time of a transaction of writes, retries included.',
      LATENCY_SECONDS,
    ).with()
    registerTableSizes(this.#common, () => this.#sizes)
    registerWorkers(this.#common, () => this.#workers)
    this.#countRequests()
    this.#setBuildInfo(version)
  }

  /**
   * Counts the responses of one operation; made once per route. prom-client hashes the labels at every increment, which
   * takes 0.5 µs. So responses are counted in plain numbers, and handed to prom-client at a scrape.
   */
  operation(name: string): (status: number, code: string, seconds: number) => void {
    const counts: Counts = this.#requests.get(name) ?? new Map()
    this.#requests.set(name, counts)
    const observe = this.#latency.with({ operation: name })
    return (status, code, seconds) => {
      const counted = counts.get(code)
      if (counted) counted.count += 1
      else counts.set(code, { status, count: 1 })
      observe(seconds)
    }
  }

  observeFlush(jobs: number, seconds: number): void {
    this.#batchJobs(jobs)
    this.#flushSeconds(seconds)
  }

  /** For figures that only some installations have. */
  addTo(register: (registry: Registry) => void): void {
    register(this.#registry)
  }

  watchTables(sizes: () => Promise<TableSize[]>): void {
    this.#tableSizes = sizes
  }

  /** Of a Citus cluster. */
  watchWorkers(ask: () => Promise<WorkerAnswer[]>): void {
    this.#askWorkers = ask
  }

  watchGuidance(published: () => Promise<GuidanceFigures>): void {
    this.#published = published
  }

  watchWebhooks(sources: WebhookSources): void {
    this.#webhooks = sources
  }

  /** With several workers: `gather` collects the figures of all of them, this one included. */
  gatherWith(gather: () => Promise<ProcessFigures[]>): void {
    this.#gather = gather
  }

  async ownFigures(): Promise<ProcessFigures> {
    return (await this.#registry.getMetricsAsJSON()) as ProcessFigures
  }

  /** In the text format of Prometheus. Figures of the database are left out while it does not answer. */
  async scrape(): Promise<{ contentType: string; text: string }> {
    const [figures, backlog, sizes, guidance, workers] = await Promise.all([
      this.#gather?.(),
      inTime(this.#webhooks?.backlog()),
      inTime(this.#tableSizes?.()),
      inTime(this.#published?.()),
      inTime(this.#askWorkers?.()),
    ])
    this.#guidanceFigures = guidance
    this.#sizes = sizes ?? []
    this.#workers = workers ?? []
    this.#processes = figures?.length ?? 1
    this.#backlog = backlog
    const processes = figures ? AggregatorRegistry.aggregate(figures) : this.#registry
    const texts = await Promise.all([processes.metrics(), this.#common.metrics()])
    return { contentType: this.#registry.contentType, text: texts.join('\n') }
  }

  *#responsesOf(operation: string): Generator<[code: string, count: number]> {
    for (const [code, { count }] of this.#requests.get(operation) ?? []) yield [code, count]
  }

  #countRequests(): void {
    const requests = this.#requests
    new Counter({
      name: 'usher_http_requests_total',
      help: 'Responses by operation, status and error code; a success has no code.',
      labelNames: ['operation', 'status', 'code'],
      registers: [this.#registry],
      collect() {
        this.reset()
        for (const [operation, counts] of requests)
          for (const [code, { status, count }] of counts) this.inc({ operation, status, code }, count)
      },
    })
  }

  #setBuildInfo(version: string): void {
    const labels = { version, node: process.versions.node }
    new Gauge({
      name: 'usher_build_info',
      help: 'Always 1; its labels say what runs.',
      labelNames: Object.keys(labels),
      registers: [this.#common],
    }).set(labels, 1)
  }
}
