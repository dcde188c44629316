import { orderable } from '../../../contract/queries.ts'
import { record } from '../../audit/record.ts'
import type { EnvironmentId, OpenTransaction } from '../../database/database.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { chooseAccess } from '../../definitions/access.ts'
import { errors } from '../../errors.ts'
import { eventDefinitions } from '../../reads/definitions.ts'
import { actorOf, type DashboardHandlers, type MemberCaller } from '../call.ts'
import { keysetPage } from '../keyset.ts'
import { confirmRole } from '../member-rules.ts'
import { eventOutput } from '../objects/timeline.ts'
import type { DashboardParts } from '../parts.ts'
import { uuidOf } from '../uuid.ts'
import { readConflicts } from './conflicts.ts'
import { attributeOutputs, eventOutputs } from './figures.ts'
import {
  type AttributeDefinitionRow,
  type DefinitionRow,
  type EventDefinitionRow,
  findAttributeDefinition,
  findEventDefinition,
  findEventDefinitionsByName,
  listAttributesOn,
  listNewestOf,
  listUsesOf,
  lockWording,
  updateWording,
  type WordedTable,
  type Wording,
} from './queries.ts'
import { attributeDefinitionSource, attributesUnfiltered, eventDefinitionSource } from './sources.ts'

const NEWEST = 10
const MOST_EVENTS = 100

interface ChangingCall {
  grant: MemberCaller
  exchange: { id: string }
  environment: { id: EnvironmentId; slug: string }
}

type Names = `${'get' | 'update'}${'Event' | 'Attribute'}Definition` | `list${'Event' | 'Attribute'}Definitions`

/** Event and attribute definitions: lists, single ones, and changes of their display names and descriptions. */
export function definitionHandlers({ services: { database } }: DashboardParts): Pick<DashboardHandlers, Names> {
  const findEvent = async (id: EnvironmentId, text: string) => {
    const row = uuidOf(text) && (await findEventDefinition(database, id, text))
    if (!row) throw errors.gone('Event definition', text)
    return row
  }
  const findAttribute = async (id: EnvironmentId, text: string) => {
    const row = uuidOf(text) && (await findAttributeDefinition(database, id, text))
    if (!row) throw errors.gone('Attribute definition', text)
    return row
  }
  const list = { orderable: orderable.definitions }

  /** In one transaction with the audit entries. */
  const change = <T>({ grant }: ChangingCall, run: (transaction: OpenTransaction) => Promise<T>) =>
    inTransaction(database, async (transaction) => {
      await confirmRole(transaction, grant, 'member')
      return await run(transaction)
    })

  const reword = async (
    transaction: OpenTransaction,
    call: ChangingCall,
    table: WordedTable,
    row: DefinitionRow,
    given: Partial<Wording>,
  ): Promise<Wording> => {
    const before = await lockWording(transaction, call.environment.id, table, row.id)
    if (!before) throw errors.gone('Definition', row.name)
    const after = { ...before, ...given }
    await updateWording(transaction, call.environment.id, table, row.id, after)
    await record(transaction, actorOf(call), {
      action: 'definition.changed',
      target: { id: row.id, name: row.name },
      environment: call.environment.slug,
      before,
      after,
    })
    return after
  }

  return {
    listEventDefinitions: async ({ environment, query: { q, order_by = 'display_name', cursor, limit = 50 } }) => {
      const source = { source: eventDefinitionSource(q), unfiltered: eventDefinitions, kind: 'Event definition' }
      const listed = { ...list, ...source, orderBy: order_by }
      const page = await keysetPage<EventDefinitionRow>(database, environment.id, listed, cursor, limit)
      return { data: await eventOutputs(database, environment.id, page.rows), next: page.next }
    },

    getEventDefinition: async ({ environment: { id }, params }) => {
      const row = await findEvent(id, params.definition_id)
      const [[definition], attributes, events] = await Promise.all([
        eventOutputs(database, id, [row]),
        listAttributesOn(database, id, row.name).then((rows) => attributeOutputs(database, id, rows)),
        listNewestOf(database, id, row.name, NEWEST),
      ])
      return { definition: definition as NonNullable<typeof definition>, attributes, events: events.map(eventOutput) }
    },

    updateEventDefinition: async (call) => {
      const row = await findEvent(call.environment.id, call.params.definition_id)
      const wording = await change(call, (transaction) =>
        reword(transaction, call, 'event_definitions', row, call.body),
      )
      const [output] = await eventOutputs(database, call.environment.id, [{ ...row, ...wording }])
      return output as NonNullable<typeof output>
    },

    listAttributeDefinitions: async ({ environment, query }) => {
      const { q, scope, order_by = 'display_name', cursor, limit = 50 } = query
      const source = {
        source: attributeDefinitionSource(q, scope),
        unfiltered: attributesUnfiltered,
        kind: 'Attribute definition',
      }
      const listed = { ...list, ...source, orderBy: order_by }
      const page = await keysetPage<AttributeDefinitionRow>(database, environment.id, listed, cursor, limit)
      return { data: await attributeOutputs(database, environment.id, page.rows), next: page.next }
    },

    getAttributeDefinition: async ({ environment: { id }, params }) => {
      const row = await findAttribute(id, params.definition_id)
      const uses = row.scope === 'event' ? await listUsesOf(database, id, [row.name], MOST_EVENTS) : []
      const [[definition], conflicts, events] = await Promise.all([
        attributeOutputs(database, id, [row]),
        readConflicts(database, id, row.scope, row.name),
        findEventDefinitionsByName(
          database,
          id,
          uses.map(({ event_name }) => event_name),
        ).then((rows) => eventOutputs(database, id, rows)),
      ])
      return {
        definition: definition as NonNullable<typeof definition>,
        conflicts,
        events,
      }
    },

    updateAttributeDefinition: async (call) => {
      const row = await findAttribute(call.environment.id, call.params.definition_id)
      const { written_by: writtenBy, shown_unverified: shownUnverified, ...given } = call.body
      const choosesAccess = writtenBy !== undefined || shownUnverified !== undefined
      const isReworded = Object.keys(given).length > 0 || !choosesAccess
      const by = { actor: actorOf(call), environment: call.environment }
      const changed = await change(call, async (transaction) => ({
        ...(choosesAccess && (await chooseAccess(transaction, by, row.id, { writtenBy, shownUnverified }))),
        ...(isReworded && (await reword(transaction, call, 'attribute_definitions', row, given))),
      }))
      const [output] = await attributeOutputs(database, call.environment.id, [{ ...row, ...changed }])
      return output as NonNullable<typeof output>
    },
  }
}
