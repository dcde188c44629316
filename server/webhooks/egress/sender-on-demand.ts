import type { Attempt } from './attempt.ts'
import type { Sender, SenderOptions } from './send.ts'

/**
 * A sender that is loaded when the first notification is sent. undici takes 0.15 s to load, which is a tenth of the start
 * of a server that has no webhooks.
 */
export class SenderOnDemand implements Pick<Sender, 'send' | 'close'> {
  readonly #options: SenderOptions
  #sender: Promise<Sender> | undefined

  constructor(options: SenderOptions) {
    this.#options = options
  }

  async send(url: string, headers: Record<string, string>, body: Buffer | string): Promise<Attempt> {
    this.#sender ??= this.#load()
    return await (await this.#sender).send(url, headers, body)
  }

  async close(): Promise<void> {
    await (await this.#sender)?.close()
  }

  async #load(): Promise<Sender> {
    const { Sender } = await import('./send.ts')
    return new Sender(this.#options)
  }
}
