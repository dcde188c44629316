import { Agent } from 'undici'
import { checkAnswer } from './response-schemas.ts'

export interface Json {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails when it is not there.
  [key: string]: any
}

export interface Response {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** The JSON; of a page that is not JSON, its text. */
  body: Json
  text: string
}

export type Headers = Record<string, string | undefined>

/** Sends requests with a key and holds every answer against its declared schema. */
export class Client {
  readonly url: string
  readonly key: string
  readonly #agent: Agent

  constructor(url: string, key: string, ca?: string) {
    this.url = url
    this.key = key
    this.#agent = new Agent({ connections: 64, connect: ca === undefined ? {} : { ca } })
  }

  async get(path: string, headers: Headers = {}): Promise<Response> {
    return await this.send('GET', path, undefined, headers)
  }

  async post(path: string, body: unknown, headers: Headers = {}): Promise<Response> {
    return await this.send('POST', path, JSON.stringify(body), headers)
  }

  async patch(path: string, body: unknown, headers: Headers = {}): Promise<Response> {
    return await this.send('PATCH', path, JSON.stringify(body), headers)
  }

  async delete(path: string, headers: Headers = {}): Promise<Response> {
    return await this.send('DELETE', path, undefined, headers)
  }

  /** A body is sent unchanged; a header that is undefined is not sent. */
  async send(method: string, path: string, body?: string | Buffer, headers: Headers = {}): Promise<Response> {
    const sent: Headers = {
      authorization: `Bearer ${this.key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    }
    // Not by URL: that would resolve `/users/..` before it is sent.
    const answer = await this.#agent.request({
      origin: this.url,
      path,
      method: method as 'GET',
      headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Headers,
      ...(body !== undefined && { body }),
    })
    const received = { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
    return { ...received, body: checkAnswer(method, path, received) as Json }
  }

  async close(): Promise<void> {
    await this.#agent.close()
  }
}
