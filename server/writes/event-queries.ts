import { isoTime } from '../clock.ts'
import { columnArrays, insertOfArrays, type SentColumn } from '../database/column-arrays.ts'
import type { EnvironmentId, Transaction } from '../database/database.ts'
import { checkStored, type Forms, insertForms, jsonRows, mapForms, queryParts } from '../database/forms.ts'
import { environmentsOf, type Part, partsOf } from '../database/parts.ts'
import { confirmed, confirmedNone, type Expected, expectedIds, expectedValues } from '../outbox/active-subscriptions.ts'
import { NO_SUBSCRIPTIONS, type OutboxPart } from '../outbox/outbox.ts'
import { deliveriesInsert, NOTIFICATION_ARRAYS, notificationArrays, notificationsInsert } from '../outbox/queries.ts'
import type { NewEvent } from './batch-state.ts'

/** PostgreSQL writes earlier years as BC. */
const YEAR_1 = Date.parse('0001-01-01T00:00:00Z')

const columns: readonly SentColumn<NewEvent>[] = [
  { name: 'id', type: 'uuid', value: ({ id }) => id },
  { name: 'name', type: 'text', value: ({ name }) => name },
  { name: 'user_id', type: 'text', value: ({ userId }) => userId },
  { name: 'group_id', type: 'text', value: ({ groupId }) => groupId },
  { name: 'attributes', type: 'jsonb', value: ({ attributesJson }) => attributesJson },
  { name: 'time', type: 'time', value: ({ timeMs }) => String(timeMs) },
  {
    name: 'time_text',
    type: 'text',
    value: ({ time, timeMs }) => (time === isoTime(timeMs) && timeMs >= YEAR_1 ? null : time),
  },
  { name: 'created_at', type: 'timestamptz', value: ({ at }) => at },
]
/** The first parameter after their arrays. */
const NEXT = 2 + columns.length

/** An id that exists already makes the statement fail: an earlier try was stored and its answer was lost. */
const eventsInsert = (confirmation?: Forms) =>
  insertForms((form) => {
    const joined = confirmation ? `cross join (${confirmation[form.form]}) as subscriptions` : ''
    const insert = insertOfArrays('events', columns, form, { more: joined })
    return `${insert} ${confirmation ? 'and confirmed = 1' : ''} ${form.from === '' ? '' : 'returning 1'}`
  })

const INSERT = eventsInsert()
const INSERT_CONFIRMED = eventsInsert(confirmed(NEXT))
const INSERT_CONFIRMED_NONE = eventsInsert(confirmedNone(NEXT))
/** The first array of the notifications. Those of many environments have their environments before it. */
const NOTIFY = { one: NEXT + 2, many: NEXT + 4 } as const
const INSERT_WITH_NOTIFICATIONS = mapForms(INSERT_CONFIRMED, (insert, form) => {
  const first = NOTIFY[form]
  const notifications = notificationsInsert(first, `$${first - 1}`)[form]
  const deliveries = deliveriesInsert(`$${first + NOTIFICATION_ARRAYS}`)[form]
  return `with stored as (${insert}), notified as (${notifications}) ${deliveries}`
})

export async function insertEvents(db: Transaction, events: readonly Part<NewEvent>[]): Promise<void> {
  checkStored(db, events, await queryParts(db, INSERT, events, columnArrays(columns, events)))
}

/** The same check as in `insertEventsWithNotifications`, without notifications. */
export async function insertConfirmedEvents(db: Transaction, environments: readonly NotifyingEvents[]): Promise<void> {
  const events = partsOf(environments, (part) => part.events)
  const hasSubscriptions = environments.some(({ content }) => content !== NO_SUBSCRIPTIONS.content)
  const values = (hasSubscriptions ? expectedValues : expectedIds)(expectedOf(environments))
  const statement = hasSubscriptions ? INSERT_CONFIRMED : INSERT_CONFIRMED_NONE
  checkStored(db, events, await queryParts(db, statement, events, [...columnArrays(columns, events), ...values]))
}

/** Events of one environment, and the notifications that were made for the subscriptions in the JSON text `content`. */
export interface NotifyingEvents extends OutboxPart {
  readonly events: readonly NewEvent[]
  readonly content: string
}

/**
 * In one statement with the check that the subscriptions are still those that the deliveries were made for, and that no
 * deletion covers the ids. The first event of an environment has its least id.
 */
export async function insertEventsWithNotifications(
  db: Transaction,
  environments: readonly NotifyingEvents[],
): Promise<void> {
  if (environments.every(({ deliveries }) => deliveries.length === 0)) {
    await insertConfirmedEvents(db, environments)
    return
  }
  const events = partsOf(environments, (part) => part.events)
  const values = [...columnArrays(columns, events), ...expectedValues(expectedOf(environments))]
  const notified = environments.map(({ environmentId, notifications }) => ({ environmentId, items: notifications }))
  const deliveries = environments.map((part) => ({ environmentId: part.environmentId, items: part.deliveries }))
  const ofMany = environments.length === 1 ? [] : [environmentsOf(notified)]
  const outbox = [...ofMany, ...notificationArrays(notified), jsonRows(deliveries, JSON.stringify)]
  await queryParts(db, INSERT_WITH_NOTIFICATIONS, events, [...values, ...outbox])
}

function expectedOf(environments: readonly NotifyingEvents[]): Expected[] {
  return environments.map(({ environmentId, content, events: [first] }) => ({
    environmentId,
    content,
    leastId: first?.id as string,
  }))
}

export async function findEventIds(
  db: Transaction,
  environmentId: EnvironmentId,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select id from events where environment_id = $1::int and id = any($2::uuid[])',
    [environmentId, ids],
  )
  return rows.map(({ id }) => id)
}
