import { hash } from 'node:crypto'
import { CONTENT_FORMAT } from '../../contract/content/rendered.ts'
import { readDateTime } from '../../contract/datetime.ts'
import { ANONYMOUS_PREFIX } from '../../contract/sdk/identity.ts'
import { sdkLimits } from '../../contract/sdk/limits.ts'
import type { IdentifyAnswer } from '../../contract/sdk/protocol.ts'
import type { IdentifyBody, IdentifyQuery } from '../../contract/sdk/requests.ts'
import { HOUR_MS } from '../../contract/units.ts'
import type { AttributeOperations } from '../attributes/operations.ts'
import { errors } from '../errors.ts'
import type { ObjectRow } from '../objects/queries.ts'
import { users } from '../objects/tables.ts'
import type { UpsertUserJob } from '../writes/jobs.ts'
import type { PageCaller } from './admission.ts'
import { decideFor } from './decision.ts'
import { isMember } from './memberships.ts'
import { givenAttributes, groupPart, LAST_SEEN, namedOf, wouldChange } from './page-write.ts'
import type { PublicParts } from './parts.ts'
import { checkProof, type Proof } from './proof.ts'
import { withSent } from './sent-values.ts'
import { signVisitor, type Visitor } from './visitor.ts'
import { writeOnce } from './write-once.ts'

const LAST_SEEN_MS = HOUR_MS

/** Makes the page a visitor. Writes only what has changed, and when the user was last seen an hour ago. */
export async function identify(
  parts: PublicParts,
  caller: PageCaller,
  body: IdentifyBody,
  { script }: IdentifyQuery,
  requestId: string,
): Promise<IdentifyAnswer> {
  const { side } = caller
  const { services, limits, writers } = parts
  const { environmentId } = side
  limits.takeBrowser(side, body.browser_id)
  countScript(parts, caller, body, script)
  const userId = body.user_id == null ? anonymousId(body.browser_id) : checkUserId(body.user_id)
  const proof = await prove(parts, caller, userId, body)
  const isVerified = proof.kind === 'signed'
  const [user, given, ownTimes] = await Promise.all([
    services.reader.find(environmentId, users, userId),
    givenAttributes(writers, side, 'user', body.attributes),
    writers.ofBackEnd(environmentId, 'user', [LAST_SEEN]),
  ])
  const operations = ownTimes.has(LAST_SEEN) ? given.operations : withLastSeen(given.operations, user, services.now())
  const groupId = side.plan.groups && proof.groupId !== undefined ? proof.groupId : null
  const joins = groupId !== null && !(await isMember(services.database, environmentId, userId, groupId))
  const job: UpsertUserJob = {
    kind: 'user',
    id: userId,
    operations,
    groups: joins ? [groupPart(groupId)] : [],
    prune: false,
    requestId,
    page: parts.allowances.rulesOf(environmentId, { isVerified }),
  }
  const mustWrite = joins || wouldChange(user?.attributesJson, operations)
  const tried = { key: body.key, given: body.attributes ?? {} }
  const whose = { userId, browserId: body.browser_id }
  const written = mustWrite ? await writeOnce(services, environmentId, whose, job, tried) : undefined
  if (body.user_id != null)
    parts.identifications.add(side, { userId, proof: proof.kind, origin: caller.origin }, parts.services.now())
  const visitor: Visitor = {
    userId,
    userCreatedAt: written?.createdAt ?? (user as ObjectRow).created_at,
    browserId: body.browser_id,
    groupId,
    onlyGroupId: groupId,
    isVerified,
    secretId: proof.secretId ?? null,
    format: body.format ?? 1,
    sent: isVerified ? [] : withSent([], given.operations, written?.ignored ?? []),
  }
  return {
    visitor: signVisitor(side.visitorKey, environmentId, visitor, services.now()),
    expires_in_seconds: sdkLimits.visitorSeconds,
    user_id: userId,
    verified: isVerified,
    ...namedOf([
      ...(proof.problem === undefined ? [] : [{ name: nameOfProof(body), reason: proof.problem }]),
      ...given.ignored,
      ...(written?.ignored ?? []).filter(({ name }) => name !== LAST_SEEN),
    ]),
    decision: await decideFor(parts, side, visitor),
  }
}

async function prove(parts: PublicParts, caller: PageCaller, userId: string, body: IdentifyBody): Promise<Proof> {
  const { side } = caller
  if (body.user_id == null) {
    count(parts, caller, 'anonymous')
    return { kind: 'unsigned' }
  }
  const proof = await checkProof(side, userId, body)
  count(parts, caller, proof.kind)
  if (proof.secretId !== undefined) parts.uses.useSecret(side.environmentId, proof.secretId)
  if (side.identity === 'required' && proof.kind !== 'signed') {
    parts.identifications.add(side, { userId, proof: proof.kind, origin: caller.origin }, parts.services.now())
    throw errors.identityNotVerified(
      proof.kind === 'wrong'
        ? `The ${nameOfProof(body)} ${proof.problem}. Make it in your back end.`
        : 'This environment requires a signature or a token that proves the user id. Make it in your back end.',
    )
  }
  return proof
}

const nameOfProof = ({ token }: IdentifyBody) => (token ? 'token' : 'signature')

/** Three numbers, and what may stand behind them. */
const VERSION = /^\d{1,5}\.\d{1,5}\.\d{1,5}[\w.+-]{0,20}$/

function countScript(
  { services, scriptVersions }: PublicParts,
  { side, origin }: PageCaller,
  { format }: IdentifyBody,
  given = '',
): void {
  const tally = services.counters.of(side.environmentId)
  tally.add('script', (format ?? 1) >= CONTENT_FORMAT ? 'newest' : 'older')
  const version = VERSION.test(given) ? scriptVersions.of(side.environmentId, given) : ''
  if (origin !== undefined) tally.add('script_version', `${version} ${origin}`)
}

function count({ services }: PublicParts, { side, origin }: PageCaller, kind: Proof['kind'] | 'anonymous'): void {
  const tally = services.counters.of(side.environmentId)
  tally.add('identity', kind)
  if (origin !== undefined) tally.add('origin', `${kind} ${origin}`)
}

/** The browser id is a secret of the browser, and a user id is shown to members: one does not tell the other. */
function anonymousId(browserId: string): string {
  return ANONYMOUS_PREFIX + hash('sha256', browserId, 'base64url').slice(0, 32)
}

function checkUserId(userId: string): string {
  if (userId.startsWith(ANONYMOUS_PREFIX))
    throw errors.invalidParams([`user_id: ids that begin with ${ANONYMOUS_PREFIX} are made by Usher`])
  return userId
}

function withLastSeen(operations: AttributeOperations, user: ObjectRow | undefined, now: number): AttributeOperations {
  const last = user && (JSON.parse(user.attributesJson) as Record<string, unknown>)[LAST_SEEN]
  const lastMs = typeof last === 'string' ? (readDateTime(last)?.milliseconds ?? 0) : 0
  if (now - lastMs < LAST_SEEN_MS) return operations
  return [...operations, [LAST_SEEN, { kind: 'set', value: new Date(now).toISOString(), dataType: 'datetime' }]]
}
