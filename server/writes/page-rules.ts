import type { AttributeValue } from '../../contract/attributes.ts'
import { type AttributeOperations, applyOperations } from '../attributes/operations.ts'
import type { ScopedName } from '../definitions/named-queries.ts'
import { definitionKey, type Scope } from '../definitions/new-definitions.ts'
import { ApiError, errors } from '../errors.ts'
import type { BatchState } from './batch-state.ts'
import type { IgnoredAttribute, PageRules, TrackEventJob, UpsertUserJob } from './jobs.ts'
import { merge } from './merge.ts'
import type { Draft, Stored } from './state.ts'

/** The names of attributes that a page writes. Their definitions are read. */
export function namesOfPage({ operations, groups }: UpsertUserJob): ScopedName[] {
  const named = (scope: Scope, list: AttributeOperations) => list.map(([name]) => ({ scope, name }))
  return [
    ...named('user', operations),
    ...groups.flatMap((group) => named('group', group.operations)),
    ...groups.flatMap((group) => named('group_membership', group.membershipOperations)),
  ]
}

export const OF_BACK_END = 'is written by the back end'
const TOO_MANY_NAMES = 'is a new name, and pages have created too many of them in this minute'

/** The job of a page without what the page may not write, or why it is refused as a whole. */
export function applyPageRules(
  state: BatchState,
  draft: Draft,
  job: UpsertUserJob,
  before: Stored | undefined,
): { job: UpsertUserJob; ignored: IgnoredAttribute[] } | ApiError {
  const page = job.page as PageRules
  page.beginTry()
  if (page.userCreatedAt !== undefined && before?.createdAt !== page.userCreatedAt) return errors.visitorExpired()
  const created = job.groups.filter(({ id }) => draft.get(state.groups, id) === undefined).length + (before ? 0 : 1)
  for (let count = 0; count < created; count += 1) if (!page.mayCreate('object')) return tooMany('users and groups')
  const ignored: IgnoredAttribute[] = []
  const allowed = (scope: Scope, prefix: string, operations: AttributeOperations) =>
    operations.filter(([name, { kind }]) => {
      const reason = reasonToIgnore(state, page, scope, name, kind === 'remove')
      if (reason !== undefined) ignored.push({ name: prefix + name, reason })
      return reason === undefined
    })
  const operations = allowed('user', '', job.operations)
  const groups = job.groups.map((part) => ({
    ...part,
    operations: allowed('group', 'group.', part.operations),
    membershipOperations: allowed('group_membership', 'membership.', part.membershipOperations),
  }))
  return { job: { ...job, operations, groups }, ignored }
}

function reasonToIgnore(
  { named, newDefinitions }: BatchState,
  page: PageRules,
  scope: Scope,
  name: string,
  isRemoval: boolean,
): string | undefined {
  const writer = newDefinitions.claims.has(definitionKey(scope, name)) ? 'back_end' : named.writerOf(scope, name)
  if (writer === 'back_end') return OF_BACK_END
  if (writer !== undefined || isRemoval) return undefined
  if (!page.mayCreate('name')) return TOO_MANY_NAMES
  named.create(scope, name)
  return undefined
}

/**
 * Without the operations that do not fit what is stored, such as `add` to a text; none when the whole would be too large. They
 * are not named: a stranger who says that he is this user would learn what is stored, and that the user exists.
 */
export function fitting(before: Stored | undefined, operations: AttributeOperations): AttributeOperations {
  const stored = before?.attributes ?? {}
  const fit = operations.filter((operation) => {
    // Each is tried on its own attribute: a change copies all that it is given.
    const [name] = operation
    const own = Object.hasOwn(stored, name) ? { [name]: stored[name] as AttributeValue } : {}
    return 'attributes' in applyOperations(own, [operation])
  })
  return merge(before, fit, 'attributes') instanceof ApiError ? [] : fit
}

/** A change of one value stores the whole objects again, and a notification of the user. */
export function refuseBytes({ mayStore }: PageRules, user: Stored, groups: readonly Stored[]): ApiError | undefined {
  const sizes = [user, ...groups].map(({ attributesJson }) => Buffer.byteLength(attributesJson))
  return mayStore(sizes) ? undefined : errors.tooManyFromPages('Pages have stored too many bytes in this minute.', 60)
}

/** The user may be deleted since the page has called, and what it says of the user would stay for ever. */
export function refuseStranger(
  { users }: BatchState,
  { userId }: TrackEventJob,
  { userCreatedAt }: PageRules,
): ApiError | undefined {
  const user = userId === null ? undefined : users.get(userId)
  return user && user.createdAt === userCreatedAt ? undefined : errors.visitorExpired()
}

/** An event is stored as a whole or not at all. Its attributes belong to nobody, but new names are counted. */
export function refuseNewNames(
  { named, newDefinitions }: BatchState,
  { name, operations }: TrackEventJob,
  page: PageRules,
): ApiError | undefined {
  if (newDefinitions.knowsEvent(name, operations)) return undefined
  page.beginTry()
  const uses = operations
    .map(([attributeName]) => ({ eventName: name, attributeName }))
    .filter((use) => !named.hasUse(use))
  const isNew = !named.hasEvent(name)
  for (let count = isNew ? -1 : 0; count < uses.length; count += 1)
    if (!page.mayCreate('name')) return tooMany('names of events and attributes')
  for (const use of uses) named.loadUse(use)
  named.loadEvent(name)
  return undefined
}

function tooMany(what: string): ApiError {
  return errors.tooManyFromPages(`Pages have created too many ${what} in this minute.`, 60)
}
