import { createSetUpLink } from '../server/members/set-up.ts'
import { withDatabase } from './seed.ts'
import type { UsherServer } from './server.ts'

const HOME_MS = 5_000

/** A member who is signed in to the dashboard. Sends the requests that the browser sends. */
export class DashboardVisitor {
  readonly #address: string
  readonly #cookie: string
  #open: { streams: AbortController; timer: NodeJS.Timeout } | undefined

  private constructor(address: string, cookie: string) {
    this.#address = `${address}/app/api`
    this.#cookie = cookie
  }

  /** The first owner: a set-up link is made in the database, and used. */
  static async signIn(server: UsherServer, database: string): Promise<DashboardVisitor> {
    const path = await withDatabase(database, createSetUpLink)
    const body = { token: path?.split('#')[1], email: 'bench@example.com', password: 'correct horse battery' }
    const answer = await fetch(`${server.address}/app/api/links/use`, {
      method: 'POST',
      headers: { origin: server.address, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0]
    if (cookie === undefined) throw new Error(`signing in answered ${answer.status}: ${await answer.text()}`)
    return new DashboardVisitor(server.address, cookie)
  }

  async read<Body>(path: string): Promise<Body> {
    const answer = await fetch(`${this.#address}/environments/production${path}`, { headers: { cookie: this.#cookie } })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Body
  }

  /** Live in one tab and Home in another: a stream, and the figures every five seconds. */
  async open(): Promise<void> {
    const streams = new AbortController()
    const live = await fetch(`${this.#address}/environments/production/live`, {
      headers: { cookie: this.#cookie },
      signal: streams.signal,
    })
    void drain(live)
    await this.#readHome()
    const timer = setInterval(() => void this.#readHome().catch(() => {}), HOME_MS)
    this.#open = { streams, timer }
  }

  async close(): Promise<void> {
    this.#open?.streams.abort()
    clearInterval(this.#open?.timer)
    this.#open = undefined
  }

  async #readHome(): Promise<void> {
    await Promise.all(['/home', '/request_errors', '/endpoints'].map((path) => this.read(path)))
  }
}

async function drain({ body }: Response): Promise<void> {
  try {
    for await (const _ of body as unknown as AsyncIterable<Uint8Array>);
  } catch {
    // It was closed.
  }
}
