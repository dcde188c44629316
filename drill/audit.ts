import pg from 'pg'
import type { Answers } from './answers.ts'
import { auditFlows, readSessions, type StoredSession } from './flow-audit.ts'
import { problems } from './problems.ts'
import type { NotificationReceiver } from './receiver.ts'

/** Compares what was answered with what is stored and with what was sent. Returns the problems, none when all is well. */
export async function audit(
  url: string,
  answers: Answers,
  receiver: NotificationReceiver | undefined,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set search_path = usher')
    const stored = await readStored(client)
    return [
      ...answers.wrong,
      ...auditEvents(answers, stored),
      ...auditUsers(answers, stored),
      ...auditCounters(answers, stored),
      ...auditFlows(answers.flows, stored.sessions),
      ...(receiver ? auditNotifications(answers, stored, receiver) : []),
    ]
  } finally {
    await client.end()
  }
}

interface Stored {
  /** The mark of an event that a client has sent; null of an event of a guided flow. */
  events: { id: string; mark: string | null }[]
  sessions: StoredSession[]
  users: Map<string, { mark: string | null; n: number | null; groups: number }>
}

async function readStored(client: pg.Client): Promise<Stored> {
  const events = await client.query<{ id: string; mark: string | null }>(
    `select id, attributes ->> 'mark' as mark from events`,
  )
  const users = await client.query<{ id: string; mark: string | null; n: number | null; groups: number }>(
    `select id, attributes ->> 'mark' as mark, (attributes ->> 'n')::int as n,
            (select count(*)::int from group_memberships as membership
              where membership.environment_id = users.environment_id and membership.user_id = users.id) as groups
       from users`,
  )
  return {
    events: events.rows,
    sessions: await readSessions(client),
    users: new Map(users.rows.map((row) => [row.id, row])),
  }
}

function auditEvents({ events, unknownEvents, refused }: Answers, stored: Stored): string[] {
  const marked = stored.events.flatMap(({ mark, id }) => (mark === null ? [] : [{ mark, id }]))
  const ids = new Map(marked.map(({ mark, id }) => [mark, id]))
  const known = (mark: string) => events.has(mark) || unknownEvents.has(mark)
  return [
    ...problems('events stored twice', marked.length - ids.size),
    ...problems(
      'acknowledged events that are not stored',
      [...events].filter(([mark, id]) => ids.get(mark) !== id),
    ),
    ...problems(
      'refused events that are stored',
      [...refused].filter((mark) => ids.has(mark)),
    ),
    ...problems(
      'events that nobody sent',
      [...ids.keys()].filter((mark) => !known(mark) && !refused.has(mark)),
    ),
  ]
}

function auditUsers({ users, deleted, refused }: Answers, stored: Stored): string[] {
  const alive = [...users].filter((id) => !deleted.has(id))
  const rows = [...stored.users.values()]
  return [
    ...problems(
      'acknowledged users that are not stored',
      alive.filter((id) => !stored.users.has(id)),
    ),
    ...problems(
      'deleted users that are stored',
      [...deleted].filter((id) => stored.users.has(id)),
    ),
    ...problems(
      'users without their group',
      alive.filter((id) => stored.users.get(id)?.groups !== 1),
    ),
    ...problems(
      'refused writes that are stored',
      rows.filter(({ mark }) => mark !== null && refused.has(mark)),
    ),
  ]
}

function auditCounters({ added, unknownAdds }: Answers, stored: Stored): string[] {
  return [...new Set([...added.keys(), ...unknownAdds.keys()])].flatMap((counter) => {
    const least = added.get(counter) ?? 0
    const most = least + (unknownAdds.get(counter) ?? 0)
    const value = stored.users.get(counter)?.n ?? 0
    return value < least || value > most ? [`${counter} is ${value}; ${least} to ${most} additions were made`] : []
  })
}

/** Each value of a counter was notified at least once: from 1 to the last one, without a gap. */
function auditNotifiedValues(
  { added, unknownAdds }: Answers,
  stored: Stored,
  { values }: NotificationReceiver,
): string[] {
  return [...new Set([...added.keys(), ...unknownAdds.keys()])].flatMap((counter) => {
    const value = stored.users.get(counter)?.n ?? 0
    const notified = values.get(counter) ?? new Set()
    const missing = Array.from({ length: value }, (_, index) => index + 1).filter((each) => !notified.has(each))
    return [
      ...problems(`values of ${counter} without a notification`, missing),
      ...problems(
        `values of ${counter} that it never had`,
        [...notified].filter((each) => each > value),
      ),
    ]
  })
}

function auditNotifications(answers: Answers, stored: Stored, receiver: NotificationReceiver): string[] {
  const ids = new Set(stored.events.map(({ id }) => id))
  const users = [...answers.users].filter((id) => !answers.deleted.has(id))
  return [
    ...auditNotifiedValues(answers, stored, receiver),
    ...problems(
      'events without a notification',
      [...ids].filter((id) => !receiver.events.has(id)),
    ),
    ...problems(
      'notifications of events that are not stored',
      [...receiver.events].filter((id) => !ids.has(id)),
    ),
    ...problems(
      'users without a notification',
      users.filter((id) => !receiver.users.has(id)),
    ),
    ...problems(
      'notifications of refused writes',
      [...answers.refused].filter((mark) => receiver.marks.has(mark)),
    ),
  ]
}
