import type { Random } from '../test/fuzz/random.ts'

/** The writes of a request. A batch has several. The drill records outcomes by piece. */
export type Piece =
  | { kind: 'add'; counter: string }
  | { kind: 'event'; mark: string; counter: string }
  | { kind: 'user'; id: string }
  | { kind: 'delete'; id: string }
  /** A write that must be refused with 400, and leave no trace of its mark. */
  | { kind: 'refused'; mark: string }

export interface DrillRequest {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body: unknown
  pieces: readonly Piece[]
}

/** Users that are added to, and that have the events. */
export const COUNTERS = ['counter-0', 'counter-1', 'counter-2', 'counter-3'] as const
/** A user whose attribute `label` is a string, so that nothing can be added to it. */
export const LABELLED = { id: 'labelled', attributes: { label: 'text' } }

/** Limits a drill to some kinds of requests. */
export type Only = 'adds' | 'events'

/** Makes the requests of one client. Names begin with the client's own, so that no two clients use the same. */
export class RequestMaker {
  readonly #name: string
  readonly #random: Random
  readonly #only: Only | undefined
  readonly #removable: string[] = []
  #last = 0

  constructor(name: string, random: Random, only?: Only) {
    this.#name = name
    this.#random = random
    this.#only = only
  }

  next(): DrillRequest {
    const dice = this.#random.next()
    if (dice < 0.12) return this.#batch()
    if (dice < 0.18) return this.#single(this.#refused())
    const removable = dice < 0.24 ? this.#removable.pop() : undefined
    if (removable !== undefined)
      return {
        method: 'DELETE',
        path: `/users/${removable}`,
        body: undefined,
        pieces: [{ kind: 'delete', id: removable }],
      }
    return this.#single(this.#write())
  }

  /** An acknowledged user can be deleted later. */
  stored(piece: Piece): void {
    if (piece.kind === 'user') this.#removable.push(piece.id)
  }

  #single({ path, body, piece }: Write): DrillRequest {
    return { method: 'POST', path, body, pieces: [piece] }
  }

  #batch(): DrillRequest {
    const atomic = this.#random.chance(0.5)
    const writes = Array.from({ length: 2 + this.#random.below(5) }, () => this.#write())
    if (!atomic && this.#random.chance(0.3)) writes.push(this.#refused())
    const operations = writes.map(({ path, body }) => ({ method: 'POST', path, body }))
    return { method: 'POST', path: '/batch', body: { operations, atomic }, pieces: writes.map(({ piece }) => piece) }
  }

  #write(): Write {
    const dice = this.#dice()
    const counter = this.#random.pick(COUNTERS)
    const mark = this.#mark()
    if (dice < 0.4)
      return { path: '/users', body: { id: counter, attributes: { n: { add: 1 } } }, piece: { kind: 'add', counter } }
    if (dice < 0.8) {
      const body = { name: 'drilled', user_id: counter, attributes: { mark } }
      return { path: '/events', body, piece: { kind: 'event', mark, counter } }
    }
    const body = { id: mark, attributes: { mark }, groups: [{ id: `group-${this.#random.below(5)}` }] }
    return { path: '/users', body, piece: { kind: 'user', id: mark } }
  }

  /** Below 0.4 is an addition, from there to 0.8 an event. */
  #dice(): number {
    if (this.#only === undefined) return this.#random.next()
    return this.#only === 'adds' ? 0 : 0.4
  }

  #refused(): Write {
    const mark = this.#mark()
    const body = { id: LABELLED.id, attributes: { mark, label: { add: 1 } } }
    return { path: '/users', body, piece: { kind: 'refused', mark } }
  }

  #mark(): string {
    this.#last += 1
    return `${this.#name}-${this.#last}`
  }
}

interface Write {
  path: string
  body: unknown
  piece: Piece
}
