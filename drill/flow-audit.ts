import type pg from 'pg'
import type { FlowAnswers } from './flow-answers.ts'
import { problems } from './problems.ts'

export interface StoredSession {
  id: string
  user_id: string
  sequence: number
  state: string
  ease: number | null
  /** How often each event of the session is stored, by its name. */
  events: Record<string, number>
}

export async function readSessions(client: pg.Client): Promise<StoredSession[]> {
  const { rows } = await client.query<StoredSession>(
    `select session.id, session.user_id, session.sequence, session.state,
            (select answer.number_answer::float8 from content_answers as answer
              where answer.environment_id = session.environment_id and answer.session_id = session.id) as ease,
            (select coalesce(jsonb_object_agg(name, count), '{}') from (
               select name, count(*)::int as count from events
                where events.environment_id = session.environment_id and events.user_id = session.user_id
                  and attributes ->> 'flow_session_id' = session.id::text
                group by name) as counted) as events
       from content_sessions as session`,
  )
  return rows
}

/** The events that a session has by its last report. */
function eventsOf(sequence: number): Record<string, number> {
  return {
    flow_started: 1,
    flow_step_seen: sequence >= 2 ? 2 : 1,
    ...(sequence >= 3 && { question_answered: 1 }),
    ...(sequence >= 5 && { flow_completed: 1, flow_ended: 1 }),
  }
}

/** No acknowledged progress is lost, no session is started twice, and every session has each of its events once. */
export function auditFlows({ sessions }: FlowAnswers, stored: readonly StoredSession[]): string[] {
  const byId = new Map(stored.map((session) => [session.id, session]))
  const users = new Set(stored.map(({ user_id }) => user_id))
  return [
    ...problems('sessions of a user that has one already', stored.length - users.size),
    ...problems(
      'sessions whose acknowledged progress is lost',
      [...sessions].filter(([id, { userId, sequence, ease }]) => {
        const found = byId.get(id)
        const isLost = !found || found.user_id !== userId || found.sequence < sequence
        return isLost || (ease !== undefined && found.ease !== ease) || (sequence === 5 && found.state !== 'completed')
      }),
    ),
    ...problems(
      'sessions with an event twice, or without one of theirs',
      stored.filter(({ sequence, events }) => !isSame(events, eventsOf(sequence))),
    ),
  ]
}

function isSame(one: Record<string, number>, other: Record<string, number>): boolean {
  const names = Object.keys({ ...one, ...other })
  return names.every((name) => one[name] === other[name])
}
