import type { Registry } from 'prom-client'

interface Series {
  labels: Record<string, string>
  counts: number[]
  sum: number
}

/**
 * A histogram for prom-client's registry whose observations are plain additions. The histogram of prom-client checks and
 * hashes the labels of every observation: 5 µs of each request, against 0.1 here.
 */
export class PlainHistogram {
  readonly name: string
  readonly #help: string
  readonly #bounds: readonly number[]
  readonly #series: Series[] = []

  constructor(registry: Registry, name: string, help: string, bounds: readonly number[]) {
    this.name = name
    this.#help = help
    this.#bounds = bounds
    registry.registerMetric(this as never)
  }

  /** The observing function of one combination of labels, created once. */
  with(labels: Record<string, string> = {}): (value: number) => void {
    const bounds = this.#bounds
    const series: Series = { labels, counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 }
    this.#series.push(series)
    return (value) => {
      let index = 0
      while (index < bounds.length && value > (bounds[index] as number)) index += 1
      ;(series.counts[index] as number) += 1
      series.sum += value
    }
  }

  /** Called by the registry at a scrape. */
  async get() {
    return {
      name: this.name,
      help: this.#help,
      type: 'histogram' as const,
      aggregator: 'sum' as const,
      values: this.#series.flatMap((series) => this.#values(series)),
    }
  }

  #values({ labels, counts, sum }: Series) {
    let total = 0
    const buckets = counts.map((count, index) => {
      total += count
      return {
        metricName: `${this.name}_bucket`,
        labels: { le: this.#bounds[index] ?? '+Inf', ...labels },
        value: total,
      }
    })
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: total },
    ]
  }
}
