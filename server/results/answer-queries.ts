import type { EnvironmentId, Reader } from '../database/database.ts'

export interface AnswerCount {
  question: string
  value: string
  answers: number
}

/** How often each number or choice was given in a version. Texts are counted, not listed. */
export async function countAnswers(
  db: Reader,
  environmentId: EnvironmentId,
  contentId: string,
  versionId: string,
  texts: readonly string[],
): Promise<AnswerCount[]> {
  return await db.query<AnswerCount & Record<string, unknown>>(
    `select question, value, count(*)::int as answers
       from (select question,
                    case when question = any($4::text[]) then ''
                         when number_answer is not null then number_answer::text
                         else coalesce(chosen.value, text_answer, '') end as value
               from content_answers
               left join lateral jsonb_array_elements_text(list_answer) as chosen (value) on true
              where environment_id = $1::int and content_id = $2::uuid and version_id = $3::uuid) as given
      group by 1, 2`,
    [environmentId, contentId, versionId, texts],
  )
}

/** How many gave an answer to each question of a version: one answer may have several choices. */
export async function countAnswered(
  db: Reader,
  environmentId: EnvironmentId,
  contentId: string,
  versionId: string,
): Promise<{ question: string; answers: number }[]> {
  return await db.query<{ question: string; answers: number }>(
    `select question, count(*)::int as answers from content_answers
      where environment_id = $1::int and content_id = $2::uuid and version_id = $3::uuid
      group by 1`,
    [environmentId, contentId, versionId],
  )
}

export interface TextAnswer {
  id: string
  user_id: string
  text: string
  at: string
}

/** The texts that were given, newest first, before a time. */
export async function findTexts(
  db: Reader,
  environmentId: EnvironmentId,
  contentId: string,
  question: string,
  { q, before, limit }: { q: string; before: string | null; limit: number },
): Promise<TextAnswer[]> {
  return await db.query<TextAnswer & Record<string, unknown>>(
    `select id, user_id, text_answer as text, created_at as at from content_answers
      where environment_id = $1::int and content_id = $2::uuid and question = $3::text and text_answer <> ''
        and ($4::text = '' or strpos(lower(text_answer), lower($4::text)) > 0)
        and created_at < coalesce($5::timestamptz, 'infinity')
      order by created_at desc limit $6::int`,
    [environmentId, contentId, question, q, before, limit],
  )
}
