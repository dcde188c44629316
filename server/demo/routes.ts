import { createHmac } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { optional } from '../../contract/schema.ts'
import { Type } from '../../contract/type.ts'
import { type AdmissionParts, OpenAdmission } from '../dashboard/admission.ts'
import type { AnonymousCaller } from '../dashboard/call.ts'
import type { Decisions } from '../decisions/decisions.ts'
import { errors } from '../errors.ts'
import type { Exchange } from '../http/exchange.ts'
import { fileServer } from '../http/files.ts'
import { once } from '../http/once.ts'
import { addOperations, type Gate, type Handlers } from '../http/operation.ts'
import type { Router } from '../http/router.ts'
import type { Transport } from '../http/transport.ts'
import type { PublicDirectory } from '../sdk/directory.ts'
import type { Services } from '../services.ts'
import { type Config, servesDemo } from '../settings/config.ts'
import { type DemoEnvironment, openDemo } from './environment.ts'
import { viewOf } from './view.ts'

const FILES = fileURLToPath(new URL('../../demo/', import.meta.url))
const PREFIX = '/demo'
const BODY_BYTES = 4_096

/** Nothing inline, nothing of other hosts but pictures and videos of content. */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; frame-src https:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
}

/** The page may be anybody, among the users of the demo. */
const demoUser = Type.String({ pattern: '^demo-[a-z0-9]{1,20}$', 'x-rule': 'must be a user of the demo' })

const operations = {
  open: { method: 'POST', path: '/demo/api/open', body: Type.Object({}), bodyBytes: BODY_BYTES, hasOptionalBody: true },
  sign: {
    method: 'POST',
    path: '/demo/api/sign',
    body: Type.Object({ user_id: demoUser }),
    bodyBytes: BODY_BYTES,
  },
  view: {
    method: 'POST',
    path: '/demo/api/view',
    body: Type.Object({ user_id: demoUser, browser_id: optional<string>({ type: 'string', maxLength: 64 }) }),
    bodyBytes: BODY_BYTES,
  },
} as const

export interface DemoParts {
  config: Pick<Config, 'demo' | 'isPublic'>
  services: Services
  decisions: Decisions
  directory: PublicDirectory
}

type DemoGate = Omit<Gate<AnonymousCaller>, 'admission' | 'prefix'> & Pick<AdmissionParts, 'slots'>

/** An application to try guided flows with. It is served to this machine only, unless a setting says otherwise. */
export function addDemo(router: Router, parts: DemoParts, { slots, ...gate }: DemoGate): void {
  const { config, services } = parts
  if (!servesDemo(config)) return
  const admission = new DemoAdmission(
    { database: services.database, transport: gate.transport, slots },
    config.demo === 'on',
  )
  const observe = (name: string) => gate.observe(`demo_${name}`)
  addOperations(router, operations, handlers(parts), { ...gate, observe, admission })
  const serve = once(() => fileServer(FILES, { prefix: PREFIX, headers: () => headers }))
  const answer = (exchange: Exchange) => {
    admission.check(exchange)
    // Every address below it that is not a file is a page of the application.
    serve()(exchange, (_, look) => look('/', () => {}))
  }
  router.add('GET', PREFIX, { answer })
  router.add('GET', `${PREFIX}/*`, { answer })
}

class DemoAdmission extends OpenAdmission {
  readonly #transport: Transport
  readonly #isForAll: boolean

  constructor(parts: AdmissionParts, isForAll: boolean) {
    super(parts)
    this.#transport = parts.transport
    this.#isForAll = isForAll
  }

  check(exchange: Exchange): void {
    if (!this.#isForAll && !this.#transport.isFromThisMachine(exchange))
      throw errors.unknownUrl(exchange.method, PREFIX)
  }

  override admit(exchange: Exchange): AnonymousCaller {
    this.check(exchange)
    return super.admit(exchange)
  }
}

/** What the back end of an application does: it proves who its user is. */
async function sign(directory: PublicDirectory, { token }: DemoEnvironment, userId: string): Promise<object> {
  const { secrets } = await directory.find(`Bearer ${token}`)
  const [secret] = secrets
  return secret ? { signature: createHmac('sha256', secret.key).update(userId).digest('hex') } : {}
}

function handlers({ services, decisions, directory }: DemoParts): Handlers<typeof operations, AnonymousCaller> {
  const open = () => openDemo(services.database, services.secrets.box)
  return {
    open: async () => JSON.stringify({ token: (await open()).token }),
    sign: async ({ body }) => JSON.stringify(await sign(directory, await open(), body.user_id)),
    view: async ({ body }) => JSON.stringify(await viewOf(services, decisions, (await open()).id, body)),
  }
}
