import type { Definitions } from './attributes.ts'
import type { Event, Group, User } from './expand.ts'
import type { Deleted, ErrorStatus, Error as Failure } from './generated.ts'
import type { RequestOptions } from './options.ts'
import type { TrackEvent, UpsertGroup, UpsertUser } from './requests.ts'
import type { Transport } from './transport.ts'

/** What is written at each path, and the answer. */
interface Writes<D extends Definitions> {
  '/users': { body: UpsertUser<D>; response: User<D> }
  '/groups': { body: UpsertGroup<D>; response: Group<D> }
  '/events': { body: TrackEvent<D>; response: Event<D> }
}

interface WriteAt<D extends Definitions, Path extends keyof Writes<D>> {
  method: 'POST'
  path: Path
  body: Writes<D>[Path]['body']
  idempotency_key?: string
}

interface Removal {
  method: 'DELETE'
  /** Ids in a path are encoded: `/users/${encodeURIComponent(id)}`. */
  path: `/users/${string}` | `/groups/${string}` | `/events/${string}` | `/group_memberships?${string}`
  body?: undefined
  idempotency_key?: string
}

/** One operation of a batch. */
export type BatchOperation<D extends Definitions = Definitions> =
  | { [Path in keyof Writes<D>]: WriteAt<D, Path> }[keyof Writes<D>]
  | Removal

/** 200 with the object, or another status with the error. */
export type BatchResult<T = User | Group | Event | Deleted> =
  | { readonly status: 200; readonly body: T }
  | { readonly status: ErrorStatus; readonly body: Failure }

type AnswerTo<D extends Definitions, Operation> = Operation extends { path: infer Path extends keyof Writes<D> }
  ? Writes<D>[Path]['response']
  : Deleted

/** One result for each operation, with the type of its answer. */
export type BatchResults<D extends Definitions, Operations extends readonly BatchOperation<D>[]> = {
  -readonly [Index in keyof Operations]: BatchResult<AnswerTo<D, Operations[Index]>>
}

export interface BatchOptions extends RequestOptions {
  /** All operations are stored, or none. */
  atomic?: boolean
  /** False suppresses the webhooks, for backfills. */
  notify?: boolean
}

export async function sendBatch<T>(
  transport: Transport,
  operations: readonly object[],
  { atomic, notify, ...options }: BatchOptions = {},
): Promise<T> {
  const body = { operations, ...(atomic !== undefined && { atomic }), ...(notify !== undefined && { notify }) }
  const { results } = await transport.request<{ results: T }>({ method: 'POST', path: '/batch', body }, options)
  return results
}
