import { Counter, Gauge, type Registry } from 'prom-client'
import type { Replicas } from './replicas.ts'

/** Of several workers, the worst state counts: a replica is used when all of them use it. */
export function registerReplicas(registry: Registry, lists: Replicas): void {
  const { replicas } = lists
  const labelled = { registers: [registry], labelNames: ['replica'] }
  new Gauge({
    ...labelled,
    name: 'usher_replica_used',
    help: 'Whether lists are read from this replica: 1, or 0 while it is unreachable, lags too much, or does not follow.',
    aggregator: 'min',
    collect() {
      for (const { name, state } of replicas)
        this.set({ replica: name }, state === 'used' || state === 'behind' ? 1 : 0)
    },
  })
  new Gauge({
    ...labelled,
    name: 'usher_replica_lag_seconds',
    help: 'How long ago the primary had what this replica has not replayed yet; left out while it is unreachable.',
    aggregator: 'max',
    collect() {
      this.reset()
      for (const { name, lagMs } of replicas) if (lagMs !== undefined) this.set({ replica: name }, lagMs / 1000)
    },
  })
  new Counter({
    ...labelled,
    name: 'usher_replica_lists_total',
    help: 'Lists by where they were read; replica="primary" is the primary.',
    collect() {
      this.reset()
      for (const { name, readCount } of replicas) this.inc({ replica: name }, readCount)
      this.inc({ replica: 'primary' }, lists.primaryReads)
    },
  })
}
