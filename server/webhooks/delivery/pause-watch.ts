import type { Database } from '../../database/database.ts'
import type { Log } from '../../log.ts'
import type { SwitchSetting } from '../../settings/config.ts'
import { findPause } from '../pause.ts'

/** Whether this node may send. It may not before the database was asked. */
export class PauseWatch {
  readonly #setting: SwitchSetting
  readonly #database: Database
  readonly #log: Log
  /** Why it does not send; undefined when it does, null before it is known. */
  #reason: string | undefined | null = null

  constructor(setting: SwitchSetting, database: Database, log: Log) {
    this.#setting = setting
    this.#database = database
    this.#log = log
  }

  get isPaused(): boolean {
    return this.#reason !== undefined
  }

  async check(): Promise<void> {
    const before = this.#reason
    this.#reason = await this.#read()
    if (this.#reason === before) return
    if (this.#reason !== undefined)
      this.#log.warn(
        { reason: this.#reason },
        'no webhooks are sent; "npx usher webhooks resume" or USHER_WEBHOOK_DELIVERY=on sends them',
      )
    else if (before !== null) this.#log.info({}, 'webhooks are sent again')
  }

  async #read(): Promise<string | undefined> {
    if (this.#setting === 'on') return undefined
    if (this.#setting === 'off') return 'USHER_WEBHOOK_DELIVERY is off'
    return (await findPause(this.#database))?.reason
  }
}
