import type { AttributeValue } from '../../contract/attributes.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { isAfterDeletion } from '../deletions/pending.ts'

/** Several options as the JSON text of their list, as it is in the event of the answer: jsonb as text has other spaces. */
export const listText = `(
  select '[' || coalesce(string_agg(to_json(choice.value)::text, ',' order by choice.place), '') || ']'
    from jsonb_array_elements_text(answer.list_answer) with ordinality as choice (value, place))`

/** An answer as conditions compare it. `answer` is its row. */
export const answerJsonb = `coalesce(to_jsonb(answer.number_answer), to_jsonb(answer.text_answer), to_jsonb(${listText}))`

/** The newest answers of a user, by the key of the content and then of the question. */
export async function findNewestAnswers(
  db: Queryable,
  environmentId: EnvironmentId,
  userId: string,
  contentKeys: readonly string[],
): Promise<Map<string, Map<string, AttributeValue>>> {
  const rows = await db.query<{ key: string; question: string; value: string }>(
    `select distinct on (content.key, answer.question) content.key, answer.question, ${answerJsonb}::text as value
       from content join content_answers as answer
         on answer.environment_id = content.environment_id and answer.content_id = content.id
      where content.environment_id = $1::int and content.key = any($3::text[]) and answer.user_id = $2::text
        and ${isAfterDeletion('answer.session_id', 'user', '$2')}
      order by content.key, answer.question, answer.created_at desc, answer.session_id desc`,
    [environmentId, userId, contentKeys],
  )
  const answers = new Map<string, Map<string, AttributeValue>>()
  for (const { key, question, value } of rows) {
    const known = answers.get(key) ?? new Map<string, AttributeValue>()
    answers.set(key, known.set(question, JSON.parse(value) as AttributeValue))
  }
  return answers
}
