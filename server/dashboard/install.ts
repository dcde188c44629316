import { proofKinds } from '../../contract/sdk/identity.ts'
import { sdkLimits } from '../../contract/sdk/limits.ts'
import { DAY_MS } from '../../contract/units.ts'
import { isoTime } from '../clock.ts'
import { type NameCount, readCounts, sumCounts } from '../counters/read.ts'
import { seriesOf, spanOf, sum } from '../counters/series.ts'
import type { EnvironmentId } from '../database/database.ts'
import { errors } from '../errors.ts'
import {
  countIdentified,
  findLastIdentified,
  lackingProofs,
  listLacking,
  NOBODY,
  type People,
} from '../identifications/identified.ts'
import { createSecret, readIdentity, revokeSecret, setIdentity } from '../sdk/identity.ts'
import { listOrigins } from '../sdk/origin-queries.ts'
import { addOrigin, isAllowedOrigin, LOCALHOST, removeOrigin } from '../sdk/origins.ts'
import { findScriptSeen, listTokens, type PublicToken } from '../sdk/token-queries.ts'
import { createToken, isLive, revokeToken, rotateToken } from '../sdk/tokens.ts'
import { VERSION } from '../version.ts'
import { actorOf, type DashboardHandlers, DONE, type MemberCaller } from './call.ts'
import { roleRight } from './member-rules.ts'
import { healthOf, type PageCounts } from './page-health.ts'
import type { DashboardParts } from './parts.ts'
import { uuidOf } from './uuid.ts'

type Names =
  | 'getInstallation'
  | 'listLackingUsers'
  | 'createToken'
  | 'rotateToken'
  | 'revokeToken'
  | 'addOrigin'
  | 'removeOrigin'
  | 'createIdentitySecret'
  | 'revokeIdentitySecret'
  | 'setIdentity'

const DAYS_SHOWN = 14

/** The public side of an environment, by the functions of the command line. */
export function installHandlers({ services, apiUrl }: DashboardParts): Pick<DashboardHandlers, Names> {
  const { database, secrets } = services
  async function readLacking(id: EnvironmentId, since: string): Promise<People | undefined> {
    const counted = await countIdentified(database, id, dayOf(since), { proofs: lackingProofs, byOrigin: false })
    return counted.get('')
  }
  return {
    getInstallation: async ({ environment: { id }, exchange }) => {
      const since = isoTime(Date.now() - DAY_MS)
      const span = spanOf(DAY_MS / 1000, DAYS_SHOWN)
      const [tokens, stored, { setting, secrets: live }, seen_at, counted, byOrigin, refused, scripts, days] =
        await Promise.all([
          listTokens(database, id),
          listOrigins(database, id),
          readIdentity(database, id),
          findScriptSeen(database, id),
          sumCounts(database, id, 'identity', 'day', since),
          sumCounts(database, id, 'origin', 'day', since),
          sumCounts(database, id, 'refused_origin', 'day', since),
          sumCounts(database, id, 'script', 'day', since),
          readCounts(database, id, 'identity', 'day', isoTime(span.from)),
        ])
      const [versions, answers, failed] = await Promise.all([
        sumCounts(database, id, 'script_version', 'day', since),
        sumCounts(database, id, 'page_answer', 'day', since),
        sumCounts(database, id, 'page_error', 'day', since),
      ])
      const [people, lacking, last] = await Promise.all([
        countIdentified(database, id, dayOf(since), { proofs: proofKinds, byOrigin: true }),
        readLacking(id, since),
        findLastIdentified(database, id),
      ])
      const pages: PageCounts = { versions, answers, errors: failed }
      const origins = stored.length === 0 ? [LOCALHOST] : stored
      return {
        url: apiUrl(exchange),
        tokens: tokens.filter((token) => isLive(token)).map(tokenOutput),
        origins: origins.map((origin) => ({
          ...originOutput(origin, byOrigin),
          people: peopleOutput(people.get(origin)),
          ...healthOf(pages, origin),
        })),
        refused_origins: refusedOutput(refused, origins),
        refused: sum(refused.map(({ count }) => count)),
        identity: setting,
        secrets: live.map(({ created_by: _, ...secret }) => secret),
        seen_at,
        days: seriesOf(span, days),
        scripts: { newest: countOf(scripts, 'newest'), older: countOf(scripts, 'older') },
        script_version: VERSION,
        lacking: peopleOutput(lacking),
        last_identified: last ?? null,
        ...identifications(counted),
        ...healthOf(pages),
      }
    },

    listLackingUsers: async ({ environment: { id } }) => {
      const since = isoTime(Date.now() - DAY_MS)
      const [users, people] = await Promise.all([listLacking(database, id, dayOf(since)), readLacking(id, since)])
      return { users, people: peopleOutput(people) }
    },

    createToken: async (call) => tokenOutput(await createToken(database, secrets.box, changeOf(call), call.body.name)),

    rotateToken: async (call) => {
      const id = tokenIdOf(call.params.token_id)
      const token = id === undefined ? undefined : await rotateToken(database, changeOf(call), id)
      if (!token) throw errors.gone('Token', call.params.token_id)
      return tokenOutput(token)
    },

    revokeToken: async (call) => {
      const id = tokenIdOf(call.params.token_id)
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
  return { actor: actorOf(call), environment: { id, slug }, right: roleRight(call.grant, 'admin') }
}

function tokenOutput({ id, token, name, created_at, last_used_at, ends_at }: PublicToken) {
  return { id, token, name, created_at, last_used_at, ends_at }
}

const tokenIdOf = (given: string) => (/^\d{1,9}$/.test(given) ? Number(given) : undefined)

/** `2026-01-31`, in UTC. */
const dayOf = (time: string) => time.slice(0, 10)

const peopleOutput = ({ count, isExact }: People = NOBODY) => ({ count, is_exact: isExact })

const countOf = (counts: readonly NameCount[], name: string) => counts.find((one) => one.name === name)?.count ?? 0

function identifications(counts: readonly NameCount[], suffix = '') {
  const of = (kind: string) => countOf(counts, kind + suffix)
  return { signed: of('signed'), unsigned: of('unsigned'), wrong: of('wrong'), anonymous: of('anonymous') }
}

function originOutput(origin: string, counts: readonly NameCount[]) {
  const own = counts.filter(({ name }) => name.endsWith(` ${origin}`)).map(({ last_at }) => last_at)
  return { origin, seen_at: own.sort().at(-1) ?? null, ...identifications(counts, ` ${origin}`) }
}

/** Without those that have been allowed since. */
function refusedOutput(counts: readonly NameCount[], allowed: readonly string[]) {
  return counts
    .filter(({ name }) => name !== '' && !isAllowedOrigin(allowed, name))
    .slice(0, sdkLimits.refusedOriginsPerDay)
    .map(({ name, count, last_at }) => ({ origin: name, count, last_at }))
}
