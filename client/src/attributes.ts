/** The types of attributes: what an application declares, what it may send, and what it reads. */

export type AttributeValue = string | number | boolean
export type DataType = 'string' | 'boolean' | 'number' | 'datetime'

/**
 * The attributes of an application, by the kind of object that carries them. `usher types` prints one from the
 * definitions of an environment. Kinds that are left out accept any name and any value.
 */
export interface Definitions {
  user?: object
  group?: object
  group_membership?: object
  /** Attributes by event name. */
  events?: object
}

type Anything = Record<string, AttributeValue>
export type Kind = 'user' | 'group' | 'group_membership'

/** The declared attributes of a kind of object. */
export type AttributesOf<D extends Definitions, K extends Kind> = D extends { [Key in K]: infer A extends object }
  ? A
  : Anything

export type EventName<D extends Definitions> = D extends { events: infer E extends object } ? keyof E & string : string
export type EventAttributesOf<D extends Definitions, N> = D extends { events: infer E extends object }
  ? N extends keyof E
    ? E[N]
    : Anything
  : Anything

/** Attributes in a response: any of them may be missing. */
export type Stored<A> = { readonly [Name in keyof A]?: A[Name] }

/** A string attribute takes a Date too: it is sent as its ISO 8601 text. */
type Literal<V> = V extends string ? V | Date : V

/** The operations and their operands. An attribute of type `V` takes the operations whose operand can be a `V`. */
export interface Operands<V> {
  set: V
  set_once: V
  add: number
  subtract: number
}
/** Exactly one operation. */
type Operation<V, Key extends keyof Operands<V>> = { [K in Key]: Operands<V>[K] } & {
  [Other in Exclude<keyof Operands<V>, Key>]?: never
} & { data_type?: DataType }

/** An attribute in a request: a literal, `null` to remove the attribute, or one operation that fits its type. */
export type AttributeInput<V = AttributeValue> =
  | null
  | (V extends AttributeValue ? Literal<V> | FittingOperation<V, Operands<Literal<V>>> : never)

type FittingOperation<V, All extends Operands<Literal<V>>> = {
  [Key in keyof Operands<V>]: V extends All[Key] ? Operation<Literal<V>, Key> : never
}[keyof Operands<V>]

export type AttributeInputs<A> = { [Name in keyof A]?: AttributeInput<A[Name]> }
