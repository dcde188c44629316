import { Counter, type Registry } from 'prom-client'

/** What a process counts of guided flows, in plain numbers that are read at a scrape. */
export class GuidanceCounts {
  readonly #decisions = { content: 0, nothing: 0 }
  /** With those that the alert rules compare: a comparison with what is not there raises no alert. */
  readonly #reports = new Map([
    ['step_seen', 0],
    ['target_missing', 0],
  ])
  /** Sessions that the server ended because they were over. */
  ended = 0
  /** Sessions that the last round found over. They are ended in steps. */
  overdue = 0
  /** The open streams of pages. */
  streams: () => number = () => 0

  decided(hasContent: boolean): void {
    this.#decisions[hasContent ? 'content' : 'nothing'] += 1
  }

  reported(reports: readonly { type: string }[]): void {
    for (const { type } of reports) this.#reports.set(type, (this.#reports.get(type) ?? 0) + 1)
  }

  get decisions(): Iterable<[outcome: string, count: number]> {
    return Object.entries(this.#decisions)
  }

  get reports(): Iterable<[type: string, count: number]> {
    return this.#reports
  }
}

/** Of the database, for all processes together. */
export interface GuidanceFigures {
  published: number
  /** Environments whose content is switched off. */
  switchedOff: number
}

/** The responses of one operation: how many with each error code; a success has none. */
export type ResponsesOf = (operation: string) => Iterable<[code: string, count: number]>

/** What claims content: of pages by themselves and by hand, and of the API. */
const CLAIMING = ['sdk_claim', 'sdk_start', 'claimContent']

export function registerGuidanceCounts(registry: Registry, counts: GuidanceCounts, responses: ResponsesOf): void {
  register(registry, {
    name: 'usher_guidance_decisions_total',
    help: 'Decisions for pages and for the API, by whether there was something to show.',
    label: 'outcome',
    read: () => counts.decisions,
  })
  register(registry, {
    name: 'usher_guidance_claims_total',
    help: 'Claims by outcome: granted, or the code of the refusal.',
    label: 'outcome',
    read: () => claimsByOutcome(responses),
  })
  register(registry, {
    name: 'usher_guidance_reports_total',
    help: 'Reports of pages that were acknowledged, by type; a report that is sent again counts again.',
    label: 'type',
    read: () => counts.reports,
  })
}

function claimsByOutcome(responses: ResponsesOf): Map<string, number> {
  // There from the start: the alert rule of refusals compares them with it.
  const outcomes = new Map([['granted', 0]])
  for (const operation of CLAIMING)
    for (const [code, count] of responses(operation)) {
      const outcome = code === '' ? 'granted' : code
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count)
    }
  return outcomes
}

interface LabelledCounter {
  name: string
  help: string
  label: string
  read: () => Iterable<[value: string, count: number]>
}

function register(registry: Registry, { name, help, label, read }: LabelledCounter): void {
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset()
      for (const [value, count] of read()) this.inc({ [label]: value }, count)
    },
  })
}
