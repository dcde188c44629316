import { readFileSync } from 'node:fs'
import { cpuMicros, HAS_PROC } from '../proc.ts'

/** The CPU time of other processes during the run. The report shows it, since it disturbs the figures. */
export class OtherProcesses {
  readonly #postgres: number | undefined
  readonly #started = performance.now()
  readonly #before: number

  constructor(postgres: number | undefined) {
    this.#postgres = postgres
    this.#before = this.#others()
  }

  /** In cores, on average since the start. NaN where it is not known. */
  cores(): number {
    return (this.#others() - this.#before) / (1_000 * (performance.now() - this.#started))
  }

  #others(): number {
    return HAS_PROC ? busyMicros() - cpuMicros(process.pid) - cpuMicros(this.#postgres) : Number.NaN
  }
}

function busyMicros(): number {
  const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] as string).split(/\s+/).map(Number)
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0] = ticks
  return (user + nice + system + interrupts + softInterrupts) * 10_000
}
