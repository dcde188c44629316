import type { Deleted, Operations, Receipt, Segment, SegmentCount } from '../generated.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import type { ListQuery } from '../requests.ts'
import type { Transport } from '../transport.ts'

export type ListSegments = ListQuery<Operations['listSegments']['query'], 'segments'>
export type SaveSegment = Operations['saveSegment']['body']
export type CountSegment = Operations['countSegment']['body']
export type ExplainSegment = Operations['explainSegment']['body']

/** Named conditions over users or groups. `users.list({ segment })` lists the members of one. */
export class Segments {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The same key again replaces the segment. */
  save(segment: SaveSegment, options: RequestOptions = {}): Promise<Segment> {
    return this.#transport.request({ method: 'POST', path: '/segments', body: segment }, options)
  }

  /** By its id or its key. */
  retrieve(id: string, options: RequestOptions = {}): Promise<Segment> {
    return this.#transport.request({ method: 'GET', path: pathOf(id) }, options)
  }

  /** Refused while published content or another segment uses it. */
  delete(id: string, options: RequestOptions = {}): Promise<Deleted> {
    return this.#transport.request({ method: 'DELETE', path: pathOf(id) }, options)
  }

  list(query: ListSegments = {}, options: RequestOptions = {}): List<Segment> {
    return new List(this.#transport, '/segments', query, options)
  }

  /** How many fit at the moment, and what each leaf selects by itself. */
  count(question: CountSegment, options: RequestOptions = {}): Promise<SegmentCount> {
    return this.#transport.request({ method: 'POST', path: '/segments/count', body: question }, options)
  }

  /** Why a user or a group fits, or does not. */
  explain(question: ExplainSegment, options: RequestOptions = {}): Promise<Receipt> {
    return this.#transport.request({ method: 'POST', path: '/segments/explain', body: question }, options)
  }
}

function pathOf(id: string): string {
  return `/segments/${encodeURIComponent(id)}`
}
