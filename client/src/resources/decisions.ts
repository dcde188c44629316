import type { Decision, Operations } from '../generated.ts'
import type { RequestOptions } from '../options.ts'
import type { Transport } from '../transport.ts'

export type Decide = Operations['decide']['body']

/** What users may see now, and why. */
export class Decisions {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** A read: nothing is written, and it may be asked again at any time. */
  decide(who: Decide, options: RequestOptions = {}): Promise<Decision> {
    return this.#transport.request({ method: 'POST', path: '/decisions', body: who }, options)
  }
}
