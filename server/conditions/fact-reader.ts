import type { Attributes } from '../../contract/attributes.ts'
import { GatheredReads } from '../batches/gathered-reads.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { findNewestAnswers } from '../history/newest-answers.ts'
import { currentOf, findCandidates, MOST_CANDIDATES, type Subject } from '../memberships/current-groups.ts'
import type { MembershipAttributes } from '../memberships/queries.ts'
import type { ObjectReader } from '../objects/reader.ts'
import { groups, users } from '../objects/tables.ts'
import { findContentFacts } from './content-states.ts'
import { type Facts, type GroupFacts, NOTHING_ANSWERED, NOTHING_SEEN } from './facts.ts'
import { findFittingGroup, type MeantCondition } from './fitting-group.ts'
import type { Needs } from './needs.ts'
import { ProbeReader } from './probe-reader.ts'

/** Whose facts are read. */
export type { Subject }

/** Reads what conditions must know of a user. Concurrent reads become one statement. */
export class FactReader {
  readonly #database: Database
  readonly #objects: ObjectReader
  readonly #candidates: GatheredReads<Subject, MembershipAttributes[]>
  readonly #probes: ProbeReader
  readonly #now: () => number

  constructor(database: Database, objects: ObjectReader, now: () => number = Date.now) {
    this.#database = database
    this.#objects = objects
    this.#candidates = new GatheredReads(database, findCandidates)
    this.#probes = new ProbeReader(database)
    this.#now = now
  }

  /**
   * With the current group: the named one, if the user is in it, or the only one. `namesGroup` asks for its id where no
   * condition needs more of it.
   */
  async read(
    environmentId: EnvironmentId,
    { userId, groupId }: Subject,
    needs: Needs,
    namesGroup = needs.group,
  ): Promise<Facts> {
    const now = this.#now()
    const memberships = namesGroup ? this.#candidates.find(environmentId, { userId, groupId }) : undefined
    const current = memberships?.then((all) => currentOf(all, groupId))
    const [facts, all = [], found] = await Promise.all([
      this.#readWith(environmentId, userId, needs.group ? current : undefined, needs, now),
      memberships,
      current,
    ])
    const otherGroups = needs.group && !found ? all.map((each) => each.groupId) : []
    const foreignGroup = memberships && !found ? groupId : undefined
    return { ...facts, groupId: found?.groupId, foreignGroup, otherGroups }
  }

  /** The id of the current group alone. */
  async currentGroup(environmentId: EnvironmentId, { userId, groupId }: Subject): Promise<string | undefined> {
    return currentOf(await this.#candidates.find(environmentId, { userId, groupId }), groupId)?.groupId
  }

  /**
   * With each group of the user, or once without: a user is in a segment when one of its groups fits. Of very many groups it
   * is the one that PostgreSQL finds to fit, or the first one when none does.
   */
  async readForEachGroup(
    environmentId: EnvironmentId,
    userId: string,
    needs: Needs,
    asked: MeantCondition,
    now = this.#now(),
  ): Promise<Facts[]> {
    const found = needs.group ? await this.#groupsThatMayFit(environmentId, userId, asked, now) : []
    const each = found.length === 0 ? [undefined] : found
    return await Promise.all(
      each.map((membership) => this.#readWith(environmentId, userId, Promise.resolve(membership), needs, now)),
    )
  }

  async #groupsThatMayFit(environmentId: EnvironmentId, userId: string, asked: MeantCondition, now: number) {
    const first = await this.#candidates.find(environmentId, { userId })
    if (first.length < MOST_CANDIDATES) return first
    const groupId = await findFittingGroup(this.#database, environmentId, userId, asked, now)
    const named = groupId === undefined ? first : await this.#candidates.find(environmentId, { userId, groupId })
    return [currentOf(named, groupId) ?? named[0]]
  }

  /** Of a group alone, for conditions about groups. Undefined when there is no such group. */
  async readGroup(
    environmentId: EnvironmentId,
    id: string,
    needs: Needs,
    now = this.#now(),
  ): Promise<Facts | undefined> {
    const [group, counts] = await Promise.all([
      this.#group(environmentId, { groupId: id, userId: '', attributesJson: '{}' }),
      this.#probes.count(environmentId, 'group', needs.probes, { ownerId: id, userId: '' }, now, needs.isAskedOnce),
    ])
    return (
      group && {
        now,
        user: undefined,
        group,
        otherGroups: [],
        counts,
        content: NOTHING_SEEN,
        answers: NOTHING_ANSWERED,
      }
    )
  }

  /** What is of the group is read when it is known, and all else at once. A group that there is not has no events. */
  async #readWith(
    environmentId: EnvironmentId,
    userId: string,
    current: Promise<MembershipAttributes | undefined> | undefined,
    needs: Needs,
    now: number,
  ): Promise<Facts> {
    const { probes, isAskedOnce } = needs
    const [row, ofUser, ofGroup, content, answers] = await Promise.all([
      this.#objects.find(environmentId, users, userId),
      this.#probes.count(environmentId, 'user', probes, { ownerId: userId, userId }, now, isAskedOnce),
      current?.then((membership) => membership && this.#readCurrent(environmentId, membership, needs, now)),
      needs.content.size > 0
        ? findContentFacts(this.#database, environmentId, userId, [...needs.content])
        : NOTHING_SEEN,
      needs.answers.size > 0
        ? findNewestAnswers(this.#database, environmentId, userId, [...needs.answers])
        : NOTHING_ANSWERED,
    ])
    const user = row && { id: row.id, attributes: parsed(row.attributesJson), createdAt: row.created_at }
    const counts = ofGroup
      ? probes.map(({ by }, number) => (by === 'user' ? ofUser : ofGroup.counts)[number] as number | null)
      : ofUser
    return { now, user, group: ofGroup?.group, otherGroups: [], counts, content, answers }
  }

  async #readCurrent(environmentId: EnvironmentId, membership: MembershipAttributes, needs: Needs, now: number) {
    const { probes, isAskedOnce } = needs
    const { userId, groupId } = membership
    const [group, counts] = await Promise.all([
      this.#group(environmentId, membership),
      this.#probes.count(environmentId, 'group', probes, { ownerId: groupId, userId }, now, isAskedOnce),
    ])
    return { group, counts }
  }

  async #group(environmentId: EnvironmentId, membership: MembershipAttributes): Promise<GroupFacts | undefined> {
    const row = await this.#objects.find(environmentId, groups, membership.groupId)
    if (!row) return undefined
    const { id, attributesJson, created_at: createdAt } = row
    return { id, attributes: parsed(attributesJson), membership: parsed(membership.attributesJson), createdAt }
  }
}

function parsed(json: string): Attributes {
  return JSON.parse(json) as Attributes
}
