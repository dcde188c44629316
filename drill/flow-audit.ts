import type pg from 'pg'
import type { AcknowledgedSession, FlowAnswers } from './flow-answers.ts'
import { STEADY } from './flows.ts'
import { problems } from './problems.ts'

export interface StoredSession {
  id: string
  user_id: string
  /** The key of the content. */
  content: string
  sequence: number
  state: string
  /** How many steps were seen. */
  steps: number
  created_at: Date
  completed_at: Date | null
  ended_at: Date | null
  ease: number | null
  /** How often each event of the session is stored, by its name. */
  events: Record<string, number>
}

export async function readSessions(client: pg.Client): Promise<StoredSession[]> {
  const { rows } = await client.query<StoredSession>(
    `select session.id, session.user_id, content.key as content, session.sequence, session.state,
            jsonb_array_length(session.steps) as steps, session.created_at, session.completed_at, session.ended_at,
            (select answer.number_answer::float8 from content_answers as answer
              where answer.environment_id = session.environment_id and answer.session_id = session.id) as ease,
            (select coalesce(jsonb_object_agg(name, count), '{}') from (
               select name, count(*)::int as count from events
                where events.environment_id = session.environment_id and events.user_id = session.user_id
                  and attributes ->> 'flow_session_id' = session.id::text
                group by name) as counted) as events
       from content_sessions as session
       join content on content.environment_id = session.environment_id and content.id = session.content_id`,
  )
  return rows
}

/** The events that a session has by what is stored of it. */
function eventsOf({ steps, ease, completed_at, ended_at }: StoredSession): Record<string, number> {
  return {
    flow_started: 1,
    flow_step_seen: steps,
    ...(ease !== null && { question_answered: 1 }),
    ...(completed_at !== null && { flow_completed: 1 }),
    ...(ended_at !== null && { flow_ended: 1 }),
  }
}

/**
 * No acknowledged progress is lost, no session is started twice, no user had two flows at a time, and every session has each
 * of its events once.
 */
export function auditFlows({ sessions }: FlowAnswers, stored: readonly StoredSession[]): string[] {
  const byId = new Map(stored.map((session) => [session.id, session]))
  const runs = new Set(stored.map(({ user_id, content }) => `${user_id} ${content}`))
  return [
    ...problems('sessions of a user that has one already', stored.length - runs.size),
    ...problems(
      'sessions whose acknowledged progress is lost',
      [...sessions].filter(([id, acknowledged]) => isLost(acknowledged, byId.get(id))),
    ),
    ...problems('users with two flows at a time', usersWithTwo(stored)),
    ...problems(
      'sessions with an event twice, or without one of theirs',
      stored.filter((session) => !isSame(session.events, eventsOf(session))),
    ),
  ]
}

/** A flow that was unpublished has ended by that, and may not be completed any more. */
function isLost({ userId, content, sequence, ease }: AcknowledgedSession, found: StoredSession | undefined): boolean {
  if (!found || found.user_id !== userId || found.sequence < sequence) return true
  if (ease !== undefined && found.ease !== ease) return true
  return sequence === LAST && content === STEADY && found.state !== 'completed'
}

const LAST = 5

function usersWithTwo(stored: readonly StoredSession[]): string[] {
  const ofUser = Map.groupBy(stored, ({ user_id }) => user_id)
  return [...ofUser].flatMap(([userId, sessions]) => {
    const inOrder = sessions.toSorted((one, other) => one.created_at.getTime() - other.created_at.getTime())
    const isDouble = inOrder.some(({ created_at }, index) => {
      const before = inOrder[index - 1]
      return before !== undefined && (before.ended_at === null || before.ended_at > created_at)
    })
    return isDouble ? [userId] : []
  })
}

function isSame(one: Record<string, number>, other: Record<string, number>): boolean {
  const names = Object.keys({ ...one, ...other })
  return names.every((name) => one[name] === other[name])
}
