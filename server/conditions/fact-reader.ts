import type { Attributes } from '../../contract/attributes.ts'
import { Batcher } from '../batcher.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import { findNewestAnswers } from '../history/newest-answers.ts'
import { findMembershipsOfUsers, type MembershipAttributes } from '../memberships/queries.ts'
import type { ObjectReader } from '../objects/reader.ts'
import { groups, users } from '../objects/tables.ts'
import { FirstInFirstOut } from '../waiting-items.ts'
import { findContentFacts } from './content-states.ts'
import { type Facts, type GroupFacts, NOTHING_ANSWERED, NOTHING_SEEN } from './facts.ts'
import type { Needs } from './needs.ts'
import { countProbes, type ProbeRead } from './probe-queries.ts'

/** Whose facts are read. Without a group the current one is the user's only group. */
export interface Subject {
  userId: string
  groupId?: string | undefined
}

type Counts = (number | null)[]

/** The users whose probes are one statement. Each may have a hundred probes. */
const MOST_TOGETHER = 20

/** Reads what conditions must know of a user. Concurrent reads of an environment become one statement. */
export class FactReader {
  readonly #database: Database
  readonly #objects: ObjectReader
  readonly #probes = new Map<EnvironmentId, Batcher<ProbeRead[], Counts>>()

  constructor(database: Database, objects: ObjectReader) {
    this.#database = database
    this.#objects = objects
  }

  /** With the current group: the named one, if the user is in it, or the only one. */
  async read(environmentId: EnvironmentId, subject: Subject, needs: Needs, now = Date.now()): Promise<Facts> {
    const { userId, groupId } = subject
    if (!needs.group) return await this.#readWith(environmentId, userId, undefined, [], needs, now)
    const memberships = await this.#memberships(environmentId, userId)
    const current = currentOf(memberships, groupId)
    const others = current ? [] : memberships.map((each) => each.groupId)
    return await this.#readWith(environmentId, userId, current, others, needs, now)
  }

  /** The id of the current group alone, which is also wanted where no condition asks for it. */
  async currentGroup(environmentId: EnvironmentId, { userId, groupId }: Subject): Promise<string | undefined> {
    return currentOf(await this.#memberships(environmentId, userId), groupId)?.groupId
  }

  /** With each group of the user, or once without: a user is in a segment when one of its groups fits. */
  async readForEachGroup(
    environmentId: EnvironmentId,
    userId: string,
    needs: Needs,
    now = Date.now(),
  ): Promise<Facts[]> {
    const memberships = needs.group ? await this.#memberships(environmentId, userId) : []
    const each = memberships.length === 0 ? [undefined] : memberships
    return await Promise.all(
      each.map((membership) => this.#readWith(environmentId, userId, membership, [], needs, now)),
    )
  }

  /** Of a group alone, for conditions about groups. Undefined when there is no such group. */
  async readGroup(
    environmentId: EnvironmentId,
    id: string,
    needs: Needs,
    now = Date.now(),
  ): Promise<Facts | undefined> {
    const [group, counts] = await Promise.all([
      this.#group(environmentId, { groupId: id, userId: '', attributesJson: '{}' }),
      this.#count(environmentId, '', id, needs, now),
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

  async #readWith(
    environmentId: EnvironmentId,
    userId: string,
    membership: MembershipAttributes | undefined,
    otherGroups: readonly string[],
    needs: Needs,
    now: number,
  ): Promise<Facts> {
    const [row, group, counts, content, answers] = await Promise.all([
      this.#objects.find(environmentId, users, userId),
      membership && this.#group(environmentId, membership),
      this.#count(environmentId, userId, membership?.groupId, needs, now),
      needs.content.size > 0
        ? findContentFacts(this.#database, environmentId, userId, [...needs.content])
        : NOTHING_SEEN,
      needs.answers.size > 0
        ? findNewestAnswers(this.#database, environmentId, userId, [...needs.answers])
        : NOTHING_ANSWERED,
    ])
    const user = row && { id: row.id, attributes: parsed(row.attributesJson), createdAt: row.created_at }
    return { now, user, group, otherGroups, counts, content, answers }
  }

  async #memberships(environmentId: EnvironmentId, userId: string): Promise<MembershipAttributes[]> {
    const [found = []] = await findMembershipsOfUsers(this.#database, ofOne(environmentId, [userId]))
    return found
  }

  async #group(environmentId: EnvironmentId, membership: MembershipAttributes): Promise<GroupFacts | undefined> {
    const row = await this.#objects.find(environmentId, groups, membership.groupId)
    return row && { id: row.id, attributes: parsed(row.attributesJson), membership: parsed(membership.attributesJson) }
  }

  /** A group that there is not has no events. */
  async #count(
    environmentId: EnvironmentId,
    userId: string,
    groupId: string | undefined,
    { probes }: Needs,
    now: number,
  ): Promise<Counts> {
    const counts: Counts = probes.map(() => 0)
    const owners = { user: userId, group: groupId }
    const asked = [...probes.keys()].filter((number) => owners[(probes[number] as ProbeRead['probe']).by] !== undefined)
    if (asked.length === 0) return counts
    const reads = asked.map((number) => {
      const probe = probes[number] as ProbeRead['probe']
      return { probe, ownerId: owners[probe.by] as string, userId, now }
    })
    const found = await this.#batcher(environmentId).add(reads)
    for (const [index, number] of asked.entries()) counts[number] = found[index] as number | null
    return counts
  }

  #batcher(environmentId: EnvironmentId): Batcher<ProbeRead[], Counts> {
    const known = this.#probes.get(environmentId)
    if (known) return known
    const batcher = new Batcher<ProbeRead[], Counts>(
      async (batch) => {
        const counts = await countProbes(
          this.#database,
          environmentId,
          batch.flatMap(({ item }) => item),
        )
        let from = 0
        for (const { item, resolve } of batch) {
          resolve(counts.slice(from, from + item.length))
          from += item.length
        }
      },
      new FirstInFirstOut(MOST_TOGETHER),
      () => this.#probes.delete(environmentId),
    )
    this.#probes.set(environmentId, batcher)
    return batcher
  }
}

function currentOf(memberships: readonly MembershipAttributes[], groupId: string | undefined) {
  if (groupId !== undefined) return memberships.find((each) => each.groupId === groupId)
  return memberships.length === 1 ? memberships[0] : undefined
}

function parsed(json: string): Attributes {
  return JSON.parse(json) as Attributes
}
