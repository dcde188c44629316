import type { Queryable } from '../database/database.ts'
import { queryParts } from '../database/forms.ts'
import { findForms } from '../database/key-forms.ts'
import { type Indexed, itemsOf, type Part, rowsByPart } from '../database/parts.ts'
import type { Scope } from './new-definitions.ts'
import type { Writer } from './queries.ts'

export interface ScopedName {
  scope: Scope
  name: string
}

export interface WriterRow extends ScopedName {
  written_by: Writer
}

const FIND_WRITERS = findForms('attribute_definitions', { scope: 'text', name: 'text' }, 'scope, name, written_by')

/** Who writes the attributes of each part that have a definition. */
export async function findWriters(db: Queryable, names: readonly Part<ScopedName>[]): Promise<WriterRow[][]> {
  const wanted = itemsOf(names)
  const columns = [wanted.map(({ scope }) => scope), wanted.map(({ name }) => name)]
  return rowsByPart(names, await queryParts<WriterRow & Indexed>(db, FIND_WRITERS, names, columns))
}

const FIND_EVENTS = findForms('event_definitions', { name: 'text' }, 'name')

/** The event names of each part that have a definition. */
export async function findEventNames(db: Queryable, names: readonly Part<string>[]): Promise<{ name: string }[][]> {
  return rowsByPart(names, await queryParts<{ name: string } & Indexed>(db, FIND_EVENTS, names, [itemsOf(names)]))
}

/** An attribute that was seen on an event. */
export interface EventUse {
  eventName: string
  attributeName: string
}

const FIND_USES = findForms(
  'event_attribute_uses',
  { event_name: 'text', attribute_name: 'text' },
  'event_name as "eventName", attribute_name as "attributeName"',
)

/** Those of each part that were seen before. */
export async function findUses(db: Queryable, uses: readonly Part<EventUse>[]): Promise<EventUse[][]> {
  const wanted = itemsOf(uses)
  const columns = [wanted.map(({ eventName }) => eventName), wanted.map(({ attributeName }) => attributeName)]
  return rowsByPart(uses, await queryParts<EventUse & Indexed>(db, FIND_USES, uses, columns))
}
