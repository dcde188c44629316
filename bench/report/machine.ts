import { statfsSync } from 'node:fs'
import { cpus, machine, release, type as system, totalmem } from 'node:os'
import type { Generator } from '../options.ts'
import type { BenchPostgres } from '../postgres.ts'

/** What the report says of the machine. It contains nothing that identifies its owner. */
export interface Machine {
  cores: number
  cpu: string
  memoryGigabytes: number
  system: string
  node: string
  postgres: string
  storage: string
  generator: Generator
  /** Cores that other processes used during the run, on average. */
  otherCores: number
}

const GENERATORS: Record<Generator, string> = {
  wrk: 'wrk; latencies at 64 connections by a client of our own',
  node: 'a client of our own',
  autocannon: 'autocannon; latencies at 64 connections by a client of our own',
}

const TMPFS = 0x01021994

export function describeMachine(
  folder: string,
  { version, isEmbedded, fsync }: BenchPostgres,
  generator: Generator,
  otherCores: number,
): Machine {
  const [first] = cpus()
  const inMemory = statfsSync(folder).type === TMPFS
  return {
    cores: cpus().length,
    cpu: `${first?.model.trim() || 'unknown'} (${machine()})`,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${system()} ${release()}`,
    node: process.versions.node,
    postgres: `${version}, ${isEmbedded ? 'embedded' : 'from DATABASE_URL'}, fsync ${fsync}`,
    storage: isEmbedded
      ? inMemory
        ? 'memory: commits cost less than on a disk'
        : 'disk'
      : 'that of the PostgreSQL given',
    generator,
    otherCores,
  }
}

export function machineLines(given: Machine): string[] {
  return [
    `- ${given.cores} cores, ${given.cpu}, ${given.memoryGigabytes} GB of memory`,
    `- ${given.system}, Node ${given.node}, PostgreSQL ${given.postgres}`,
    `- storage: ${given.storage}`,
    `- load: ${GENERATORS[given.generator]}`,
    ...(Number.isNaN(given.otherCores)
      ? []
      : [`- other processes used ${Math.max(0, given.otherCores).toFixed(2)} cores meanwhile`]),
  ]
}
