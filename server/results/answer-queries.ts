import type { EnvironmentId, Reader } from '../database/database.ts'
import { isNotDeletedBy } from '../deletions/pending.ts'
import { answerSumsOf } from './answer-sql.ts'
import { UNSUMMED_ANSWERS } from './run-sql.ts'

/** How often a value was given to a question. `value` is as it is summed (answer-sql.ts). */
export interface AnswerCount {
  question: string
  value: string
  answers: number
}

/** What is summed, what was over since, and what is open. Texts are counted, not listed. */
export async function countAnswers(
  db: Reader,
  environmentId: EnvironmentId,
  contentId: string,
  versionId: string,
): Promise<AnswerCount[]> {
  const ofVersion = 'session.content_id = $2::uuid and session.version_id = $3::uuid'
  const rest = answerSumsOf(ofVersion, UNSUMMED_ANSWERS)
  const open = answerSumsOf(`${ofVersion} and session.ended_at is null and session.completed_at is null`)
  return await db.queryUnprepared<AnswerCount & Record<string, unknown>>(
    `select question, value, sum(answers)::int as answers
       from (select question, value, answers from content_answer_days
              where environment_id = $1::int and content_id = $2::uuid and version_id = $3::uuid
             union all select question, value, answers from (${rest}) as rest
             union all select question, value, answers from (${open}) as open) as counted
      group by 1, 2`,
    [environmentId, contentId, versionId],
  )
}

export interface TextAnswer {
  id: string
  user_id: string
  text: string
  at: string
}

/** The texts that were given, newest first, before a time: of a choice, those that are none of its options. */
export async function findTexts(
  db: Reader,
  environmentId: EnvironmentId,
  contentId: string,
  question: string,
  { q, before, limit, options }: { q: string; before: string | null; limit: number; options: readonly string[] },
): Promise<TextAnswer[]> {
  return await db.query<TextAnswer & Record<string, unknown>>(
    `select id, user_id, text, created_at as at
       from (select answer.id, answer.user_id, answer.created_at,
                    coalesce(text_answer, (select string_agg(choice, ', ') from jsonb_array_elements_text(list_answer) as choices (choice)
                                            where choice <> all($7::text[]))) as text
               from content_answers as answer
              cross join lateral (select answer.environment_id, answer.user_id, answer.session_id as id) as run
              where answer.environment_id = $1::int and answer.content_id = $2::uuid and question = $3::text
                and answer.created_at < coalesce($5::timestamptz, 'infinity') and ${isNotDeletedBy('run', 'user')}) as given
      where text <> '' and text <> all($7::text[]) and ($4::text = '' or strpos(lower(text), lower($4::text)) > 0)
      order by created_at desc limit $6::int`,
    [environmentId, contentId, question, q, before, limit, options],
  )
}
