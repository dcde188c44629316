import { FlowAnswers } from './flow-answers.ts'
import type { Piece } from './requests.ts'

/**
 * What an answer says of a piece. `refused` is certainly not stored. `unknown` may be stored or not.
 */
export type Outcome = { kind: 'stored'; id: string } | { kind: 'refused'; status: number } | { kind: 'unknown' }

/** What the clients were answered. The audit compares it with what is stored. */
export class Answers {
  /** Additions by counter: acknowledged ones, and those with an unknown outcome. */
  readonly added = new Map<string, number>()
  readonly unknownAdds = new Map<string, number>()
  /** Ids by mark. */
  readonly events = new Map<string, string>()
  readonly unknownEvents = new Set<string>()
  /** Ids of the acknowledged events of each counter. */
  readonly eventsOf = new Map<string, string[]>()
  readonly users = new Set<string>()
  readonly deleted = new Set<string>()
  /** Marks of refused pieces. Nothing of them may be stored or sent. */
  readonly refused = new Set<string>()
  /** How many tries ended with each status; 0 is a time-out or a broken connection. */
  readonly statuses = new Map<number, number>()
  readonly wrong: string[] = []
  readonly flows = new FlowAnswers()
  acknowledged = 0
  /** Tries beyond the first, and stored answers that were sent again. */
  retries = 0
  replays = 0
  /** Exports that were read to their end. */
  exports = 0

  count(status: number): void {
    increase(this.statuses, status)
  }

  settle(piece: Piece, outcome: Outcome): void {
    if (outcome.kind === 'stored') this.#stored(piece, outcome.id)
    else if (outcome.kind === 'refused') this.#refused(piece, outcome.status)
    else this.#unknown(piece)
  }

  #stored(piece: Piece, id: string): void {
    this.acknowledged += 1
    if (piece.kind === 'add') increase(this.added, piece.counter)
    if (piece.kind === 'event') this.#addEvent(piece, id)
    if (piece.kind === 'user') this.users.add(piece.id)
    if (piece.kind === 'delete') this.deleted.add(piece.id)
    if (piece.kind === 'refused') this.wrong.push(`${piece.mark} had to be refused, and was stored`)
  }

  #addEvent({ mark, counter }: Piece & { kind: 'event' }, id: string): void {
    this.events.set(mark, id)
    const own = this.eventsOf.get(counter) ?? []
    own.push(id)
    this.eventsOf.set(counter, own)
  }

  #refused(piece: Piece, status: number): void {
    if (status !== 503 && piece.kind !== 'refused') this.wrong.push(`${status} for ${JSON.stringify(piece)}`)
    if (piece.kind === 'refused' || piece.kind === 'event') this.refused.add(piece.mark)
    if (piece.kind === 'user') this.refused.add(piece.id)
  }

  #unknown(piece: Piece): void {
    if (piece.kind === 'add') increase(this.unknownAdds, piece.counter)
    if (piece.kind === 'event') this.unknownEvents.add(piece.mark)
    // The outcome is unknown, so the audit skips this user.
    if (piece.kind === 'delete') this.users.delete(piece.id)
  }
}

function increase<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
