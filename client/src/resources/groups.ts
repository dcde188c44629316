import type { Definitions } from '../attributes.ts'
import type { ExpandPath, Group } from '../expand.ts'
import type { Deleted, Operations } from '../generated.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import type { Expand, ExpandOptions, ListQuery, UpsertGroup } from '../requests.ts'
import type { Transport } from '../transport.ts'

export type ListGroups = ListQuery<Operations['listGroups']['query'], 'groups'>

export class Groups<D extends Definitions> {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Creates the group, or merges the attributes into those that are stored. */
  upsert<const P extends ExpandPath<'group'> = never>(
    group: UpsertGroup<D>,
    { expand, ...options }: ExpandOptions<'group', P> = {},
  ): Promise<Group<D, P>> {
    return this.#transport.request({ method: 'POST', path: '/groups', query: { expand }, body: group }, options)
  }

  retrieve<const P extends ExpandPath<'group'> = never>(
    id: string,
    { expand, ...options }: ExpandOptions<'group', P> = {},
  ): Promise<Group<D, P>> {
    return this.#transport.request({ method: 'GET', path: pathOf(id), query: { expand } }, options)
  }

  /** Permanently deletes the group with its attributes, memberships and events. Answers the same when there is none. */
  delete(id: string, options: RequestOptions = {}): Promise<Deleted> {
    return this.#transport.request({ method: 'DELETE', path: pathOf(id) }, options)
  }

  list<const P extends ExpandPath<'group'> = never>(
    query: ListGroups & Expand<P> = {},
    options: RequestOptions = {},
  ): List<Group<D, P>> {
    return new List(this.#transport, '/groups', query, options)
  }
}

function pathOf(id: string): string {
  return `/groups/${encodeURIComponent(id)}`
}
