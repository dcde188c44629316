import type { TrackAnswer, WriteAnswer } from '../../contract/sdk/protocol.ts'
import type { GroupBody, TrackBody, UpdateBody } from '../../contract/sdk/requests.ts'
import { parseOperations } from '../attributes/operations.ts'
import { errors } from '../errors.ts'
import { eventJob } from '../events/routes.ts'
import { groups, users } from '../objects/tables.ts'
import type { GroupPart, IgnoredAttribute, UpsertUserJob } from '../writes/jobs.ts'
import type { VisitorCaller } from './admission.ts'
import { bytesOf } from './allowances.ts'
import { decideFor } from './decision.ts'
import { findMembership, isMember } from './memberships.ts'
import { givenAttributes, groupPart, namedOf, wouldChange } from './page-write.ts'
import type { PublicParts } from './parts.ts'
import { withSent } from './sent-values.ts'
import { signVisitor, type Visitor } from './visitor.ts'
import { type PageTry, writeOnce } from './write-once.ts'

/** What a page sends about a group. */
type GivenGroup = Pick<GroupBody, 'attributes' | 'membership'>

/** Says which group counts from now on. A verified page joins it; any other only names it. */
export async function changeGroup(
  parts: PublicParts,
  caller: VisitorCaller,
  body: GroupBody,
  requestId: string,
): Promise<WriteAnswer> {
  const { side, visitor } = caller
  const groupId = body.group_id
  const ignored: IgnoredAttribute[] = []
  if (groupId === null) await checkVisitor(parts, caller)
  else {
    if (!side.plan.groups) throw errors.groupsNotAvailable(side.planName)
    const { part, ignored: left } = await givenGroup(parts, caller, groupId, body)
    ignored.push(...left)
    if (part) ignored.push(...(await writeUser(parts, caller, { groups: [part] }, triedOf(body), requestId)))
    else await checkVisitor(parts, caller)
  }
  return await answer(parts, { ...caller, visitor: { ...visitor, groupId } }, ignored)
}

/** Changes attributes of the user, and of its current group. */
export async function update(
  parts: PublicParts,
  caller: VisitorCaller,
  body: UpdateBody,
  requestId: string,
): Promise<WriteAnswer> {
  const { side, visitor } = caller
  const { services, writers } = parts
  const { operations, ignored } = await givenAttributes(writers, side, 'user', body.attributes)
  const group = body.group && visitor.groupId !== null && side.plan.groups ? body.group : undefined
  if (body.group && !group) ignored.push({ name: 'group', reason: 'there is no current group' })
  const given = group ? await givenGroup(parts, caller, visitor.groupId as string, group) : undefined
  ignored.push(...(given?.ignored ?? []))
  const user = await services.reader.find(side.environmentId, users, visitor.userId)
  if (user?.created_at !== visitor.userCreatedAt) throw errors.visitorExpired()
  if (given?.part || wouldChange(user.attributesJson, operations)) {
    const joined = given?.part ? [given.part] : []
    ignored.push(...(await writeUser(parts, caller, { operations, groups: joined }, triedOf(body), requestId)))
  }
  const sent = visitor.isVerified ? [] : withSent(visitor.sent, operations, ignored)
  return await answer(parts, { ...caller, visitor: { ...visitor, sent } }, ignored)
}

/** Stores an event of the user, and of the group that a verified page names, when the user is in it. */
export async function track(
  parts: PublicParts,
  caller: VisitorCaller,
  body: TrackBody,
  requestId: string,
): Promise<TrackAnswer> {
  const { side, visitor } = caller
  const { environmentId } = side
  parts.allowances.takeEvent(environmentId, bytesOf(body.attributes))
  const named = visitor.isVerified && !body.user_only && side.plan.groups ? visitor.groupId : null
  const isIn = named !== null && (await isMember(parts.services.database, environmentId, visitor.userId, named))
  const event = {
    name: body.name,
    user_id: visitor.userId,
    group_id: isIn ? named : null,
    attributes: body.attributes ?? null,
  }
  const job = {
    ...eventJob(event, parts.services.now(), true, requestId),
    page: parts.allowances.rulesOf(environmentId, visitor),
  }
  const { id } = await writeOnce(parts.services, environmentId, visitor, job, triedOf(body))
  return { id }
}

/** After the deletion of its user, a visitor token is worth nothing, also when there is a new user of that id. */
export async function checkVisitor({ services }: PublicParts, { side, visitor }: VisitorCaller): Promise<void> {
  const user = await services.reader.find(side.environmentId, users, visitor.userId)
  if (user?.created_at !== visitor.userCreatedAt) throw errors.visitorExpired()
}

/** What there is to write of a group; no part when there is nothing. */
async function givenGroup(
  { services, writers }: PublicParts,
  { side, visitor }: VisitorCaller,
  groupId: string,
  { attributes, membership }: GivenGroup,
): Promise<{ part?: GroupPart; ignored: IgnoredAttribute[] }> {
  const reason = reasonNotToJoin(visitor, groupId)
  if (reason !== undefined) return { ignored: [{ name: 'group', reason }] }
  const { environmentId } = side
  const [ofGroup, ofMembership, group, member] = await Promise.all([
    givenAttributes(writers, side, 'group', attributes, 'group.'),
    givenAttributes(writers, side, 'group_membership', membership, 'membership.'),
    services.reader.find(environmentId, groups, groupId),
    findMembership(services.database, environmentId, visitor.userId, groupId),
  ])
  const ignored = [...ofGroup.ignored, ...ofMembership.ignored]
  const isChanged =
    wouldChange(group?.attributesJson, ofGroup.operations) ||
    wouldChange(member?.attributesJson, ofMembership.operations)
  if (!isChanged) return { ignored }
  return { part: groupPart(groupId, ofGroup.operations, ofMembership.operations), ignored }
}

function reasonNotToJoin({ isVerified, onlyGroupId }: Visitor, groupId: string): string | undefined {
  if (!isVerified) return 'a page whose user is not verified joins no group and writes no attribute of one'
  if (onlyGroupId !== null && onlyGroupId !== groupId) return 'the token of the page names another group'
  return undefined
}

async function writeUser(
  { services, allowances }: PublicParts,
  { side, visitor }: VisitorCaller,
  change: Partial<Pick<UpsertUserJob, 'operations' | 'groups'>>,
  tried: PageTry,
  requestId: string,
): Promise<readonly IgnoredAttribute[]> {
  const page = allowances.rulesOf(side.environmentId, visitor)
  const common = { kind: 'user', id: visitor.userId, prune: false, requestId, page } as const
  const job: UpsertUserJob = { ...common, operations: parseOperations(null), groups: [], ...change }
  return (await writeOnce(services, side.environmentId, visitor, job, tried)).ignored ?? []
}

/** A page that is being left sends the tokens in the body, and another visitor token perhaps. */
function triedOf(body: GroupBody | UpdateBody | TrackBody): PageTry {
  return { key: body.key, given: { ...body, token: undefined, visitor: undefined } }
}

async function answer(
  parts: PublicParts,
  { side, visitor }: VisitorCaller,
  ignored: IgnoredAttribute[],
): Promise<WriteAnswer> {
  return {
    visitor: signVisitor(side.visitorKey, side.environmentId, visitor, parts.services.now()),
    ...namedOf(ignored),
    decision: await decideFor(parts, side, visitor),
  }
}
