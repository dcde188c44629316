import type { StreamMessage } from '../../contract/sdk/protocol.ts'

/** An open stream of a page: what it has received so far. */
export class PageStream {
  readonly messages: StreamMessage[] = []
  /** What it was told with its opening; undefined before that. */
  opening: StreamMessage | null | undefined
  isOpen = true
  readonly ended: Promise<void>
  readonly #controller: AbortController

  constructor(response: Response, controller: AbortController) {
    this.#controller = controller
    this.ended = this.#read(response).catch(() => {})
  }

  async #read(response: Response): Promise<void> {
    let text = ''
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body as ReadableStream<Uint8Array>) {
        text += decoder.decode(chunk, { stream: true })
        const lines = text.split('\n\n')
        text = lines.pop() ?? ''
        for (const line of lines) {
          const data = /^data: (.*)$/m.exec(line)?.[1]
          const message = data === undefined ? null : (JSON.parse(data) as StreamMessage)
          if (line.startsWith('retry: ')) this.opening = message
          else if (message) this.messages.push(message)
        }
      }
    } finally {
      this.isOpen = false
    }
  }

  async close(): Promise<void> {
    this.#controller.abort()
    await this.ended
  }
}
