import type { Traffic } from '../traffic.ts'

/** The question to a load generator, which keeps a number of connections busy for some seconds, and its answer. */

export interface LoadQuestion {
  port: number
  connections: number
  seconds: number
  traffic: Traffic
}

export interface LoadAnswer {
  requests: number
  seconds: number
  p50Ms: number
  p99Ms: number
  /** Requests that were not answered with 200, and the failure of the first. */
  failures: number
  failure: string | undefined
  cpuMicros: number
}
