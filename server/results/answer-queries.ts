import type { EnvironmentId, Reader } from '../database/database.ts'

/** The same answer, given so many times. One with several choices has several values. */
export interface AnswerCount {
  question: string
  values: readonly string[]
  answers: number
}

interface Row extends Record<string, unknown> {
  question: string
  number: number | null
  text: string | null
  listJson: string | null
  answers: number
}

/**
 * How often each number, choice or list of choices was given in a version. Texts are counted, not listed. Lists are opened when
 * they are counted: PostgreSQL expects a hundred choices of each answer, and started workers for so many rows.
 */
export async function countAnswers(
  db: Reader,
  environmentId: EnvironmentId,
  contentId: string,
  versionId: string,
  texts: readonly string[],
): Promise<AnswerCount[]> {
  const rows = await db.query<Row>(
    `select question, number_answer as number, case when question <> all($4::text[]) then text_answer end as text,
            list_answer::text as "listJson", count(*)::int as answers
       from content_answers
      where environment_id = $1::int and content_id = $2::uuid and version_id = $3::uuid
      group by question, number_answer, 3, list_answer`,
    [environmentId, contentId, versionId, texts],
  )
  return rows.map(({ question, answers, ...row }) => ({ question, answers, values: valuesOf(row) }))
}

function valuesOf({ number, text, listJson }: Pick<Row, 'number' | 'text' | 'listJson'>): readonly string[] {
  const choices = listJson === null ? [] : (JSON.parse(listJson) as string[])
  return choices.length > 0 ? choices : [String(number ?? text ?? '')]
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
