import { failureText } from '../../../contract/delivery-failures.ts'
import type { Attempt } from './attempt.ts'
import type { Sender, SenderOptions } from './send.ts'

/**
 * A sender that is loaded when the first notification is sent. undici takes 0.15 s to load, which is a tenth of the start
 * of a server that has no webhooks. What cannot be loaded (no file can be opened, say) is a failed attempt, and is tried
 * again with the next one.
 */
export class SenderOnDemand implements Pick<Sender, 'send' | 'close'> {
  readonly #load: () => Promise<Sender>
  #sender: Promise<Sender | Error> | undefined

  constructor(options: SenderOptions, load = loadSender) {
    this.#load = () => load(options)
  }

  async send(url: string, headers: Record<string, string>, body: Buffer | string): Promise<Attempt> {
    this.#sender ??= this.#load().catch((error: Error) => {
      this.#sender = undefined
      return error
    })
    const sender = await this.#sender
    return sender instanceof Error ? notLoaded(sender) : await sender.send(url, headers, body)
  }

  async close(): Promise<void> {
    const sender = await this.#sender
    if (sender && !(sender instanceof Error)) await sender.close()
  }
}

async function loadSender(options: SenderOptions): Promise<Sender> {
  const { Sender } = await import('./send.ts')
  return new Sender(options)
}

function notLoaded({ message }: Error): Attempt {
  return { ok: false, failure: failureText('request_failed', message), timing: { totalMs: 0 }, responseText: '' }
}
