import type { Traffic } from '../traffic.ts'

/** What a load generator is asked, and what it answers. It keeps so many connections busy for a while. */

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
  /** Requests that were not answered with 200, and what is known of the first of them. */
  failures: number
  failure: string | undefined
  cpuMicros: number
}
