import type { ServerResponse } from 'node:http'
import { errors } from '../errors.ts'

/** A request. */
interface Reader {
  readonly response: ServerResponse
  readonly slotOf: number | undefined
}

/** 300 exports of the audit log at once delayed the requests of other accounts by 18 s. 20 delay them by less than 1 s. */
const MOST_OF_ACCOUNT = 20

/** Streamed answers with an end, such as exports. Each reads the database for as long as its client reads. */
export class StreamShares {
  readonly #ofAccounts = new Map<number | undefined, number>()

  /** Until the answer ends. Throws when the account has too many. */
  take({ response, slotOf }: Reader): void {
    const open = this.#ofAccounts.get(slotOf) ?? 0
    if (open >= MOST_OF_ACCOUNT) throw errors.tooManyExports()
    this.#ofAccounts.set(slotOf, open + 1)
    response.once('close', () => this.#release(slotOf))
  }

  #release(account: number | undefined): void {
    const open = (this.#ofAccounts.get(account) as number) - 1
    if (open > 0) this.#ofAccounts.set(account, open)
    else this.#ofAccounts.delete(account)
  }
}
