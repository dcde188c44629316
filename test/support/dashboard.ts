import { scryptSync } from 'node:crypto'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { Agent } from 'undici'
import { dashboardErrorCodes } from '../../contract/dashboard/errors.ts'
import { type Input, type Output, operations } from '../../contract/dashboard/operations.ts'
import { type OperationName, paths, type Role } from '../../contract/dashboard/paths.ts'
import { isDateTime } from '../../contract/datetime.ts'
import { errorCodes } from '../../contract/errors.ts'
import { sessionCookie } from '../../server/dashboard/cookies.ts'
import type { Database } from '../../server/database/database.ts'
import { newId } from '../../server/ids.ts'
import { createLink } from '../../server/members/links.ts'
import { insertMember } from '../../server/members/queries.ts'
import { createSession } from '../../server/members/sessions.ts'
import type { TestServer } from './client.ts'
import { uniqueName } from './postgres.ts'
import { checkResource } from './response-schemas.ts'

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: true })
  .addFormat('date-time', isDateTime)
  .addVocabulary(['x-rule', 'x-check'])
const compiled = new Map<OperationName, ValidateFunction>()

/** An answer of the dashboard's API: of a success, the body is held against the schema of the operation. */
export interface Answered<Body> {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  body: Body
  /** The code of a failure. */
  code: string | undefined
}

export interface SendOptions {
  headers?: Record<string, string | undefined>
}

/** A browser with a cookie, as far as the API can tell. */
export class Browser {
  readonly url: string
  cookie: string | undefined
  readonly #agent = new Agent({ connections: 32 })

  constructor(url: string, cookie?: string) {
    this.url = url
    this.cookie = cookie
  }

  /** The answer to a call that must succeed. */
  async call<Name extends OperationName>(name: Name, input: Input<Name>): Promise<Output<Name>> {
    const { status, body, text } = await this.send(name, input)
    if (status !== 200) throw new Error(`${name}: ${status} ${text}`)
    return body
  }

  async send<Name extends OperationName>(
    name: Name,
    input: Input<Name>,
    { headers = {} }: SendOptions = {},
  ): Promise<Answered<Output<Name>>> {
    const { method, path, body } = requestOf(name, input as Record<string, unknown>)
    const answer = await this.request(method, path, body, headers)
    return { ...answer, body: checked(name, answer) as Output<Name>, code: codeOf(answer) }
  }

  async request(method: string, path: string, body?: object, headers: SendOptions['headers'] = {}) {
    const sent = {
      ...(method !== 'GET' && { origin: this.url }),
      ...(this.cookie !== undefined && { cookie: this.cookie }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    }
    const answer = await this.#agent.request({
      origin: this.url,
      path,
      method: method as 'GET',
      headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as never,
      ...(body && { body: JSON.stringify(body) }),
    })
    const cookies = [answer.headers['set-cookie'] ?? []].flat()
    if (cookies.length > 0) this.cookie = cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ')
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
  }

  async close(): Promise<void> {
    await this.#agent.close()
  }
}

function requestOf(name: OperationName, input: Record<string, unknown>) {
  const { method, path } = paths[name]
  const rest = { ...input }
  const filled = path.replace(/:(\w+)/g, (_, parameter: string) => {
    const value = rest[parameter]
    delete rest[parameter]
    return encodeURIComponent(String(value))
  })
  if ('body' in operations[name]) return { method, path: filled, body: rest }
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(rest)) for (const one of [value].flat()) search.append(key, String(one))
  return { method, path: search.size > 0 ? `${filled}?${search}` : filled, body: undefined }
}

function checked(name: OperationName, { status, headers, text }: Omit<Answered<never>, 'body' | 'code'>): unknown {
  if (typeof headers['request-id'] !== 'string') throw new Error(`${name}: no Request-Id`)
  if (!String(headers['content-type']).startsWith('application/json')) return text
  const body: unknown = JSON.parse(text)
  if (status !== 200) {
    checkResource('Error', body)
    return body
  }
  const validate = compiled.get(name) ?? ajv.compile(operations[name].response)
  compiled.set(name, validate)
  if (!validate(body)) throw new Error(`${name}: ${ajv.errorsText(validate.errors)}\n${text.slice(0, 2_000)}`)
  return body
}

function codeOf({ status, text }: { status: number; text: string }): string | undefined {
  if (status < 400) return undefined
  const { code } = (JSON.parse(text) as { error: { code: string } }).error
  const declared = ({ ...errorCodes, ...dashboardErrorCodes } as Record<string, { status: number }>)[code]
  if (declared?.status !== status) throw new Error(`${status} with the code ${code}`)
  return code
}

export const PASSWORD = 'correct horse battery'

/** Of the password, at the least cost: at that of the server, each member would take 0.2 s of CPU time. */
const PASSWORD_HASH = `scrypt$2$1$1$c2FsdA$${scryptSync(PASSWORD, 'salt', 32, { N: 2, r: 1, p: 1 }).toString('base64url')}`

/** A member with this role, signed in; of the account that the test server was made with, unless another is given. */
export async function memberOf(
  { database, url }: Pick<TestServer, 'database' | 'url'>,
  role: Role,
  email = `${uniqueName(role)}@example.com`,
  accountId?: number,
): Promise<Browser> {
  const member = {
    ...{ id: newId(), account_id: accountId ?? (await firstAccount(database)), role },
    ...{ email, name: email.split('@')[0] as string, password: PASSWORD_HASH },
  }
  await insertMember(database, member, new Date().toISOString())
  const { token } = await createSession(database, member.id)
  const [cookie] = sessionCookie(token, url.startsWith('https:')).split(';', 1)
  return new Browser(url, cookie)
}

/** The token of a link that makes a member with this role. */
export async function newLinkToken(database: Database, role: Role): Promise<string> {
  const accountId = await firstAccount(database)
  const link = await createLink(database, { accountId, kind: 'invitation', role, invitedBy: 'a test' })
  return link.path.split('#')[1] as string
}

export async function firstAccount(database: Database): Promise<number> {
  const [account] = await database.query<{ id: number }>('select min(id) as id from accounts', [])
  return (account as { id: number }).id
}
