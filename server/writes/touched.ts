import { sortedUnique } from '../database/lock-order.ts'
import type { EventUse, ScopedName } from '../definitions/named-queries.ts'
import { definitionKey } from '../definitions/new-definitions.ts'
import type { MembershipPair } from '../memberships/queries.ts'

/** The users, groups and memberships that the jobs of one environment read or change, and the names that pages write. */
export class Touched {
  readonly #users: string[] = []
  readonly #changed = new Set<string>()
  readonly #joined: string[] = []
  readonly #pruned: string[] = []
  readonly #attributeNames = new Map<string, ScopedName>()
  readonly #eventNames: string[] = []
  readonly pairs: MembershipPair[] = []
  readonly eventUses: EventUse[] = []

  /** A user is locked and read. So are its memberships, by this lock. */
  lockUser(id: string): void {
    this.#users.push(id)
  }

  lockGroup(id: string): void {
    this.#changed.add(id)
  }

  /** Joining a group does not wait for changes of the group. `keepGroups` checks that it is not deleted. */
  joinGroup(id: string): void {
    this.#joined.push(id)
  }

  /** The user has to be locked too. */
  readMembership(pair: MembershipPair): void {
    this.pairs.push(pair)
  }

  /** In which groups the user is. */
  readGroupsOf(userId: string): void {
    this.#pruned.push(userId)
  }

  /** Who writes the attributes of this name: the back end or pages. */
  readWriter(name: ScopedName): void {
    this.#attributeNames.set(definitionKey(name.scope, name.name), name)
  }

  /** Whether the name of an event is known, and which attributes it was seen with. */
  readEventName(eventName: string, attributeNames: readonly string[]): void {
    this.#eventNames.push(eventName)
    for (const attributeName of attributeNames) this.eventUses.push({ eventName, attributeName })
  }

  /** In the order in which every write takes its locks. */
  get userIds(): string[] {
    return sortedUnique(this.#users)
  }

  get changedGroups(): string[] {
    return [...this.#changed].sort()
  }

  get joinedGroups(): string[] {
    return sortedUnique(this.#joined.filter((id) => !this.#changed.has(id)))
  }

  get attributeNames(): ScopedName[] {
    return [...this.#attributeNames.keys()].sort().map((key) => this.#attributeNames.get(key) as ScopedName)
  }

  get eventNames(): string[] {
    return sortedUnique(this.#eventNames)
  }

  get pruned(): string[] {
    return sortedUnique(this.#pruned)
  }
}
