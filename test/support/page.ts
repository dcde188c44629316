import { createHmac, randomUUID } from 'node:crypto'
import { PROTOCOL_VERSION } from '../../contract/sdk/protocol.ts'
import type { Actor } from '../../server/audit/record.ts'
import type { Database, EnvironmentId } from '../../server/database/database.ts'
import { createSecret, setIdentity } from '../../server/sdk/identity.ts'
import { addOrigin } from '../../server/sdk/origins.ts'
import { createToken } from '../../server/sdk/tokens.ts'
import type { Services } from '../../server/services.ts'
import { PageStream } from './page-stream.ts'

export interface PageAnswer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every call.
  body: any
}

export interface PageOptions {
  url: string
  token: string
  origin?: string | undefined
  browserId?: string
}

/** A browser without a screen: it speaks the protocol of pages, as the script does. */
export class Page {
  readonly #url: string
  token: string
  readonly #origin: string | undefined
  readonly browserId: string
  visitor: string | undefined
  userId: string | undefined

  constructor({ url, token, origin = 'http://localhost:3000', browserId = randomUUID() }: PageOptions) {
    this.#url = url
    this.token = token
    this.#origin = origin
    this.browserId = browserId
  }

  /** Sends a call with the headers of this page, and keeps the visitor token of its answer. */
  async call(name: string, body: object = {}, headers: Record<string, string> = {}): Promise<PageAnswer> {
    const answer = await this.send('POST', `/sdk/${name}`, JSON.stringify(body), headers)
    if (typeof answer.body?.visitor === 'string') this.visitor = answer.body.visitor
    return answer
  }

  async identify(userId: string | undefined, more: object = {}): Promise<PageAnswer> {
    const body = { user_id: userId, browser_id: this.browserId, protocol: PROTOCOL_VERSION, ...more }
    const answer = await this.call('identify', body)
    this.userId = answer.body?.user_id
    return answer
  }

  /** As a page does that is being left: without headers of its own. */
  async leave(name: string, body: object): Promise<PageAnswer> {
    const text = JSON.stringify({ ...body, token: this.token, visitor: this.visitor })
    const headers = { ...this.#originHeader(), 'content-type': 'text/plain;charset=UTF-8' }
    return await read(await fetch(`${this.#url}/sdk/${name}`, { method: 'POST', body: text, headers }))
  }

  async openStream(): Promise<PageStream> {
    const controller = new AbortController()
    const headers = {
      authorization: `Bearer ${this.token}`,
      'usher-visitor': this.visitor ?? '',
      ...this.#originHeader(),
    }
    const response = await fetch(`${this.#url}/sdk/stream`, { headers, signal: controller.signal })
    if (!response.ok) throw new Error(`the stream is refused: ${response.status} ${await response.text()}`)
    return new PageStream(response, controller)
  }

  async send(method: string, path: string, body?: string, headers: Record<string, string> = {}): Promise<PageAnswer> {
    const own = {
      ...this.#originHeader(),
      authorization: `Bearer ${this.token}`,
      ...(this.visitor !== undefined && { 'usher-visitor': this.visitor }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const request = { method, headers: { ...own, ...headers }, ...(body !== undefined && { body }) }
    return await read(await fetch(this.#url + path, request))
  }

  #originHeader(): Record<string, string> {
    return this.#origin === undefined ? {} : { origin: this.#origin }
  }
}

async function read(response: Response): Promise<PageAnswer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

const actor = { kind: 'command', id: null, name: 'Test', address: null, requestId: null } as const

export interface PublicEnvironment {
  token: string
  tokenId: number
  change: { actor: Actor; environment: { id: EnvironmentId; slug: string } }
  /** The hex HMAC of a user id. */
  sign(userId: string): string
  secret: string
}

/** A public token and an identity secret of an environment. */
export async function openPublicSide(
  { database, secrets }: Pick<Services, 'database' | 'secrets'>,
  environmentId: EnvironmentId,
  { identity = 'report', origins = [] }: { identity?: 'off' | 'report' | 'required'; origins?: string[] } = {},
): Promise<PublicEnvironment> {
  const { account_id, slug } = await findEnvironment(database, environmentId)
  const change = { actor: { ...actor, accountId: account_id }, environment: { id: environmentId, slug } }
  const { token, id } = await createToken(database, secrets.box, change, '')
  const { secret } = await createSecret(database, secrets.box, change)
  await setIdentity(database, secrets.box, change, identity)
  for (const origin of origins) await addOrigin(database, change, origin)
  const sign = (userId: string) => createHmac('sha256', secret).update(userId).digest('hex')
  return { token, tokenId: id, change, sign, secret }
}

async function findEnvironment(database: Database, id: EnvironmentId): Promise<{ account_id: number; slug: string }> {
  const [row] = await database.query<{ account_id: number; slug: string }>(
    'select account_id, slug from environments where id = $1::int',
    [id],
  )
  if (!row) throw new Error('no environment')
  return row
}
