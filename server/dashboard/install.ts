import { isoTime } from '../clock.ts'
import { readCounts } from '../counters/read.ts'
import type { EnvironmentId } from '../database/database.ts'
import { errors } from '../errors.ts'
import { createSecret, readIdentity, revokeSecret, setIdentity } from '../sdk/identity.ts'
import { listOrigins } from '../sdk/origin-queries.ts'
import { addOrigin, removeOrigin } from '../sdk/origins.ts'
import { findScriptSeen, listTokens, type PublicToken } from '../sdk/token-queries.ts'
import { createToken, revokeToken } from '../sdk/tokens.ts'
import { actorOf, type DashboardHandlers, DONE, type MemberCaller } from './call.ts'
import type { DashboardParts } from './parts.ts'
import { uuidOf } from './uuid.ts'

type Names =
  | 'getInstallation'
  | 'createToken'
  | 'revokeToken'
  | 'addOrigin'
  | 'removeOrigin'
  | 'createIdentitySecret'
  | 'revokeIdentitySecret'
  | 'setIdentity'

const DAY_MS = 86_400_000

/** The public side of an environment, by the functions of the command line. */
export function installHandlers({ services, apiUrl }: DashboardParts): Pick<DashboardHandlers, Names> {
  const { database, secrets } = services
  return {
    getInstallation: async ({ environment: { id }, exchange }) => {
      const [tokens, origins, { setting, secrets: live }, seen_at, counts] = await Promise.all([
        listTokens(database, id),
        listOrigins(database, id),
        readIdentity(database, id),
        findScriptSeen(database, id),
        readCounts(database, id, 'identity', 'day', isoTime(Date.now() - DAY_MS)),
      ])
      const counted = (name: string) =>
        counts.filter((one) => one.name === name).reduce((sum, { count }) => sum + count, 0)
      return {
        url: apiUrl(exchange),
        tokens: tokens.filter(({ revoked_at }) => revoked_at === null).map(tokenOutput),
        origins: origins.length === 0 ? ['localhost'] : origins,
        identity: setting,
        secrets: live.map(({ created_by: _, ...secret }) => secret),
        seen_at,
        signed: counted('signed'),
        unsigned: counted('unsigned'),
        wrong: counted('wrong'),
      }
    },

    createToken: async (call) => tokenOutput(await createToken(database, secrets.box, changeOf(call), call.body.name)),

    revokeToken: async (call) => {
      const id = /^\d{1,9}$/.test(call.params.token_id) ? Number(call.params.token_id) : undefined
      const revoked = id === undefined ? undefined : await revokeToken(database, changeOf(call), id)
      if (!revoked) throw errors.gone('Token', call.params.token_id)
      return DONE
    },

    addOrigin: async (call) => ({ origin: await addOrigin(database, changeOf(call), call.body.origin) }),

    removeOrigin: async (call) => {
      if (!(await removeOrigin(database, changeOf(call), call.body.origin)))
        throw errors.gone('Origin', call.body.origin)
      return DONE
    },

    createIdentitySecret: (call) => createSecret(database, secrets.box, changeOf(call)),

    revokeIdentitySecret: async (call) => {
      const id = uuidOf(call.params.secret_id)
      if (!id || !(await revokeSecret(database, changeOf(call), id))) throw errors.gone('Secret', call.params.secret_id)
      return DONE
    },

    setIdentity: async (call) => {
      await setIdentity(database, secrets.box, changeOf(call), call.body.identity)
      return DONE
    },
  }
}

function changeOf(call: {
  grant: MemberCaller
  exchange: { id: string }
  environment: { id: EnvironmentId; slug: string }
}) {
  const { id, slug } = call.environment
  return { actor: actorOf(call), environment: { id, slug } }
}

function tokenOutput({ id, token, name, created_at, last_used_at }: PublicToken) {
  return { id, token, name, created_at, last_used_at }
}
