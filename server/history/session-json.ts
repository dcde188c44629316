import { isNotDeletedBy } from '../deletions/pending.ts'
import { listText } from './newest-answers.ts'

/** The JSON texts of a session with its answers and its receipt, and of a state, for the export of a person. `item` is the row. */

/** A time as the API writes it. */
export const timeText = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** An answer as text. A list is as in the event of the answer: without the spaces that jsonb has as text. */
export const answerText = `coalesce(answer.number_answer::text, answer.text_answer, ${listText})`

const answers = `(
  select coalesce(json_agg(json_build_object(
           'question_cvid', answer.question, 'question_name', answer.name, 'created_at', ${timeText('answer.created_at')},
           'answer_value', ${answerText})
           order by answer.created_at, answer.question), '[]')
    from content_answers as answer
   where answer.environment_id = $1::int and answer.session_id = item.id)`

/** A group that is being deleted is gone already, and so are its values. */
const unlessGroupDeleted = (column: string) => `case when ${isNotDeletedBy('item', 'group')} then ${column} end`

export const sessionJson = `json_build_object(
  'id', item.id, 'object', 'content_session', 'content_id', item.content_id, 'version_id', item.version_id,
  'group_id', ${unlessGroupDeleted('item.group_id')}, 'state', item.state, 'progress', item.progress, 'tasks', item.tasks,
  'created_at', ${timeText('item.created_at')}, 'last_activity_at', ${timeText('item.last_activity_at')},
  'completed_at', ${timeText('item.completed_at')}, 'ended_at', ${timeText('item.ended_at')}, 'end_reason', item.end_reason,
  'answers', ${answers}, 'receipt', ${unlessGroupDeleted('item.receipt')})::text`

export const stateJson = `json_build_object(
  'content_id', item.content_id, 'object', 'content_state', 'started', item.started,
  'first_started_at', ${timeText('item.first_started_at')}, 'last_started_at', ${timeText('item.last_started_at')},
  'completed_at', ${timeText('item.completed_at')}, 'dismissed_at', ${timeText('item.dismissed_at')},
  'last_ended_at', ${timeText('item.last_ended_at')})::text`
