import type { AttributesOf, Definitions, EventAttributesOf, EventName, Kind, Stored } from './attributes.ts'
import type * as wire from './generated.ts'

/** What a path of `expand` leads to: `many` is a list, `one` an object, `maybe` an object that may not exist. */
interface Relations {
  user: { groups: ['many', 'group']; memberships: ['many', 'group_membership'] }
  group: { memberships: ['many', 'group_membership']; users: ['many', 'user'] }
  group_membership: { group: ['one', 'group']; user: ['one', 'user'] }
  event: { group: ['maybe', 'group']; user: ['maybe', 'user'] }
}
export type Expandable = keyof Relations
type RelationOf<K extends Expandable> = keyof Relations[K] & string
type TargetOf<K extends Expandable, R> = R extends keyof Relations[K]
  ? Relations[K][R] extends [string, infer T extends Expandable]
    ? T
    : never
  : never

/** How many levels may follow: `expand` goes four levels deep. */
type Levels = [never, 0, 1, 2, 3]

/** Every path that `expand` takes for a kind of object. */
export type ExpandPath<K extends Expandable, Depth extends number = 4> = Depth extends 0
  ? never
  : {
      [R in RelationOf<K>]: R | `${R}.${ExpandPath<TargetOf<K, R>, Levels[Depth & keyof Levels] & number>}`
    }[RelationOf<K>]

type HeadOf<P> = P extends `${infer Head}.${string}` ? Head : P
type TailOf<P, R extends string> = P extends `${R}.${infer Tail}` ? Tail : never

type Shape<Q, T> = Q extends 'many' ? T[] : Q extends 'one' ? T : T | null

/** The relations of an object: `null` except those that the paths name. */
type Related<D extends Definitions, K extends Expandable, P> = {
  readonly [R in RelationOf<K>]: R extends HeadOf<P>
    ? Relations[K][R] extends [infer Quantity, infer T extends Exclude<Expandable, 'event'>]
      ? Shape<Quantity, ObjectOf<D, T, TailOf<P, R>>>
      : never
    : null
}

interface Wire {
  user: wire.User
  group: wire.Group
  group_membership: wire.GroupMembership
  event: wire.Event
}
type Plain<K extends Expandable> = Readonly<Omit<Wire[K], RelationOf<K> | 'attributes'>>

/** A user, group or membership with the relations that `P` expands. */
export type ObjectOf<D extends Definitions, K extends Kind, P = never> = Plain<K> & {
  readonly attributes: Stored<AttributesOf<D, K>>
} & Related<D, K, P>

export type User<D extends Definitions = Definitions, P = never> = ObjectOf<D, 'user', P>
export type Group<D extends Definitions = Definitions, P = never> = ObjectOf<D, 'group', P>
export type GroupMembership<D extends Definitions = Definitions, P = never> = ObjectOf<D, 'group_membership', P>

/** An event; known names have their own attributes. */
export type Event<D extends Definitions = Definitions, P = never, N extends string = EventName<D>> = N extends unknown
  ? Omit<Plain<'event'>, 'name'> & {
      readonly name: N
      readonly attributes: Stored<EventAttributesOf<D, N>>
    } & Related<D, 'event', P>
  : never
