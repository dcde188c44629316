import type { AttributeInputs, AttributesOf, Definitions, EventAttributesOf, EventName } from './attributes.ts'
import type { Expandable, ExpandPath } from './expand.ts'
import type * as wire from './generated.ts'
import type { RequestOptions } from './options.ts'

/** The bodies and queries of requests, with the attributes that an application has declared. */

type ReadBack = 'object' | 'created_at'

export interface UpsertGroup<D extends Definitions = Definitions> extends Pick<wire.UpsertGroup, 'id' | ReadBack> {
  attributes?: AttributeInputs<AttributesOf<D, 'group'>> | null
  memberships?: null
  users?: null
}

export interface UpsertMembership<D extends Definitions = Definitions> {
  id?: unknown
  object?: unknown
  created_at?: unknown
  attributes?: AttributeInputs<AttributesOf<D, 'group_membership'>> | null
  group?: UpsertGroup<D> | null
  /** May be given instead of `group`. */
  group_id?: string | null
  user?: null
  user_id?: string | null
}

interface UserFields<D extends Definitions> extends Pick<wire.UpsertUser, 'id' | ReadBack> {
  attributes?: AttributeInputs<AttributesOf<D, 'user'>> | null
  /** When true, memberships that are not in the request are removed. It needs `groups` or `memberships`. */
  prune_memberships?: boolean | null
}
/** `groups` or `memberships`, not both. */
export type UpsertUser<D extends Definitions = Definitions> =
  | (UserFields<D> & { groups?: UpsertGroup<D>[] | null; memberships?: null })
  | (UserFields<D> & { groups?: null; memberships?: UpsertMembership<D>[] | null })

/** An event is about a user, a group, or both. */
type Subject =
  | { user_id: string; group_id?: string | null | undefined }
  | { user_id?: string | null | undefined; group_id: string }

export type TrackEvent<D extends Definitions = Definitions, N extends EventName<D> = EventName<D>> = N extends unknown
  ? Subject & {
      name: N
      attributes?: AttributeInputs<EventAttributesOf<D, N>> | null
      /** When it happened. Defaults to the time it is received. */
      time?: string | Date | null | undefined
    }
  : never

/** A list in a query may be a single value. */
type OneOrMore<T> = T extends readonly (infer Item)[] ? Item | readonly Item[] : T
type Order<List extends keyof wire.Orderable> = wire.Orderable[List] | `-${wire.Orderable[List]}`

/** The query of a list: what the contract has, with its orders by name. */
export type ListQuery<Q, List extends keyof wire.Orderable> = {
  [Name in Exclude<keyof Q, 'expand' | 'order_by' | 'position'>]?: OneOrMore<Q[Name]> | undefined
} & { order_by?: Order<List> | readonly Order<List>[] | undefined }

export interface Expand<P extends string> {
  /** What to expand. It changes the type of the result. */
  expand?: P | readonly P[] | undefined
}

/** The options of a call whose result can be expanded. */
export type ExpandOptions<K extends Expandable, P extends ExpandPath<K>> = RequestOptions & Expand<P>
