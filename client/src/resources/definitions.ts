import type { AttributeDefinition, EventDefinition, Operations } from '../generated.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import type { ListQuery } from '../requests.ts'
import type { Transport } from '../transport.ts'

export type ListAttributeDefinitions = ListQuery<Operations['listAttributeDefinitions']['query'], 'definitions'>
export type ListEventDefinitions = ListQuery<Operations['listEventDefinitions']['query'], 'definitions'>

/** The names that have been seen. The server makes them, and they are read-only. */
export class AttributeDefinitions {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(query: ListAttributeDefinitions = {}, options: RequestOptions = {}): List<AttributeDefinition> {
    return new List(this.#transport, '/attribute_definitions', query, options)
  }
}

export class EventDefinitions {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(query: ListEventDefinitions = {}, options: RequestOptions = {}): List<EventDefinition> {
    return new List(this.#transport, '/event_definitions', query, options)
  }
}
