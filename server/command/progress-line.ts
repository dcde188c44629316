import { count } from '../counted.ts'

const EVERY_MS = 200

export interface ProgressStep {
  /** What is counted, and how far. */
  done: number
  unit: string
  /** From 0 to 1; undefined when the end is not known. */
  part: number | undefined
  note?: string
}

type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>

/** One line on a terminal that is overwritten: amount, rate and time left. Prints nothing without a terminal. */
export class ProgressLine {
  readonly #begun = performance.now()
  readonly #stream: Terminal
  /** On the clock of this process, which may be younger than the time between two lines. */
  #shownAt: number | undefined
  #first: ProgressStep | undefined

  constructor(stream: Terminal = process.stderr) {
    this.#stream = stream
  }

  show(step: ProgressStep): void {
    const now = performance.now()
    this.#first ??= step
    if (!this.#stream.isTTY || (this.#shownAt !== undefined && now - this.#shownAt < EVERY_MS)) return
    this.#shownAt = now
    this.#stream.write(`\r\x1b[K${describe(step, this.#first, (now - this.#begun) / 1_000)}`)
  }

  end(): void {
    if (this.#shownAt !== undefined) this.#stream.write('\r\x1b[K')
  }
}

/** The rate is that of this run, without the lines of an earlier run. */
function describe(
  { done, unit, part, note }: ProgressStep,
  first: Pick<ProgressStep, 'done' | 'part'>,
  seconds: number,
): string {
  const rate = seconds > 0 ? Math.round((done - first.done) / seconds) : 0
  const covered = (part ?? 0) - (first.part ?? 0)
  const left = part !== undefined && covered > 0 ? ((1 - part) / covered) * seconds : undefined
  const parts = [`${count(done)} ${unit}`, `${count(rate)}/s`]
  if (part !== undefined) parts.push(`${Math.floor(part * 100)} %`)
  if (left !== undefined) parts.push(`${clock(left)} left`)
  if (note) parts.push(note)
  return parts.join('  ')
}

function clock(seconds: number): string {
  const whole = Math.round(seconds)
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
