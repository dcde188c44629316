import type { Deleted, Operations } from '../generated.ts'
import type { RequestOptions } from '../options.ts'
import type { Transport } from '../transport.ts'

/** Memberships are written with their user, and read where they are expanded. */
export class Memberships {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Removes the user from the group; both remain. Answers the same when the user was not a member. */
  delete(membership: Operations['removeMembership']['query'], options: RequestOptions = {}): Promise<Deleted> {
    return this.#transport.request({ method: 'DELETE', path: '/group_memberships', query: membership }, options)
  }
}
