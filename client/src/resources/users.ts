import type { Definitions } from '../attributes.ts'
import type { ExpandPath, User } from '../expand.ts'
import type { Deleted, Operations, UserExport } from '../generated.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import type { Expand, ExpandOptions, ListQuery, UpsertUser } from '../requests.ts'
import type { Transport } from '../transport.ts'

export type ListUsers = ListQuery<Operations['listUsers']['query'], 'users'>

export class Users<D extends Definitions> {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Creates the user, or merges the attributes into those that are stored. */
  upsert<const P extends ExpandPath<'user'> = never>(
    user: UpsertUser<D>,
    { expand, ...options }: ExpandOptions<'user', P> = {},
  ): Promise<User<D, P>> {
    return this.#transport.request({ method: 'POST', path: '/users', query: { expand }, body: user }, options)
  }

  retrieve<const P extends ExpandPath<'user'> = never>(
    id: string,
    { expand, ...options }: ExpandOptions<'user', P> = {},
  ): Promise<User<D, P>> {
    return this.#transport.request({ method: 'GET', path: pathOf(id), query: { expand } }, options)
  }

  /** Permanently deletes the user with its attributes, memberships and events. Answers the same when there is none. */
  delete(id: string, options: RequestOptions = {}): Promise<Deleted> {
    return this.#transport.request({ method: 'DELETE', path: pathOf(id) }, options)
  }

  /** Everything that is stored about one user, as one document. */
  export(id: string, options: RequestOptions = {}): Promise<UserExport> {
    return this.#transport.request({ method: 'GET', path: `${pathOf(id)}/export` }, options)
  }

  list<const P extends ExpandPath<'user'> = never>(
    query: ListUsers & Expand<P> = {},
    options: RequestOptions = {},
  ): List<User<D, P>> {
    return new List(this.#transport, '/users', query, options)
  }
}

function pathOf(id: string): string {
  return `/users/${encodeURIComponent(id)}`
}
