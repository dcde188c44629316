import type { EnvironmentId, Reader } from '../database/database.ts'
import { isNotDeletedBy } from '../deletions/pending.ts'
import { answerSumsOf } from './answer-sql.ts'
import { ALL_TIME, ofContent, type Place, placeValues } from './place.ts'
import { UNSUMMED_ANSWERS } from './run-sql.ts'

/** How often a value was given to a question of a version. `value` is as it is summed (answer-sql.ts). */
export interface AnswerCount {
  version_id: string
  question: string
  value: string
  answers: number
}

/** What is summed, what was over since, and what is open; of one version or of all. Texts are counted, not listed. */
export async function countAnswers(
  db: Reader,
  environmentId: EnvironmentId,
  contentId: string,
  versionId: string | undefined,
  /** Of runs that began on this day or later. */
  since = ALL_TIME,
): Promise<AnswerCount[]> {
  const of = (row: string) => ofContent(row, versionId)
  const rest = answerSumsOf(of('session'), UNSUMMED_ANSWERS)
  const open = answerSumsOf(`${of('session')} and session.ended_at is null and session.completed_at is null`)
  return await db.queryUnprepared<AnswerCount & Record<string, unknown>>(
    `select version_id, question, value, sum(answers)::int as answers
       from (select version_id, question, value, answers from content_answer_days as summed
              where environment_id = $1::int and ${of('summed')} and day >= $3::date
             union all select version_id, question, value, answers from (${rest}) as rest where day >= $3::date
             union all select version_id, question, value, answers from (${open}) as open where day >= $3::date
            ) as counted
      group by 1, 2, 3`,
    [environmentId, contentId, since, ...(versionId === undefined ? [] : [versionId])],
  )
}

export interface TextAnswer {
  id: string
  user_id: string
  text: string
  score: number | null
  at: string
}

/** One page looks at no more answers than these: it may be short, or empty, and say where to go on. */
export const MOST_ANSWERS_LOOKED_AT = 20_000

interface TextFilter {
  /** What the text contains, whatever its case. */
  q: string
  before: Place | undefined
  limit: number
  /** Of a choice: texts that are none of them. */
  options: readonly string[]
  /** The question whose answer is the score, if the version has one. */
  nps: string | undefined
}

/** The texts that were given in the runs that are counted, newest first. A search compares texts one by one: no index has parts of words. */
export async function findTexts(
  db: Reader,
  environmentId: EnvironmentId,
  { contentId, versionId, since }: { contentId: string; versionId: string; since: string },
  question: string,
  { q, before, limit, options, nps }: TextFilter,
): Promise<{ rows: TextAnswer[]; next: Place | null }> {
  const of = [environmentId, contentId, question, ...placeValues(before), since]
  const rows = await db.query<TextAnswer & Record<string, unknown>>(
    `select id, user_id, text, created_at as at,
            (select number_answer from content_answers as rated
              where rated.environment_id = $1::int and rated.session_id = given.session_id and rated.question = $11::text) as score
       from (select answer.id, answer.user_id, answer.created_at, answer.session_id,
                    coalesce(text_answer, (select string_agg(choice, ', ') from jsonb_array_elements_text(list_answer) as choices (choice)
                                            where choice <> all($9::text[]))) as text
               from (select * from content_answers as answer where ${LOOKED_AT} limit ${MOST_ANSWERS_LOOKED_AT}) as answer
              cross join lateral (select answer.environment_id, answer.user_id, answer.session_id as id) as run
              where answer.version_id = $10::uuid and ${isNotDeletedBy('run', 'user')}) as given
      where text <> '' and text <> all($9::text[]) and ($7::text = '' or strpos(lower(text), lower($7::text)) > 0)
        and exists (select from content_sessions as session
                     where session.environment_id = $1::int and session.id = given.session_id and not session.is_preview
                       and session.created_at >= ${DAY_BEGAN})
      order by created_at desc, id desc limit $8::int`,
    [...of, q, limit + 1, options, versionId, nps],
  )
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  if (rows.length > limit && last) return { rows: shown, next: { at: last.at, id: last.id } }
  const [end] = await db.query<Place & Record<string, unknown>>(
    `select created_at as at, id from content_answers as answer where ${LOOKED_AT} offset ${MOST_ANSWERS_LOOKED_AT - 1} limit 1`,
    of,
  )
  return { rows: shown, next: end ?? null }
}

const DAY_BEGAN = `$6::date::timestamp at time zone 'UTC'`

/** An answer is given after its run began: those of before the first day need not be looked at. */
const LOOKED_AT = `
  answer.environment_id = $1::int and answer.content_id = $2::uuid and answer.question = $3::text
  and answer.created_at >= ${DAY_BEGAN}
  and (answer.created_at, answer.id) < ($4::timestamptz, $5::uuid)
  order by answer.created_at desc, answer.id desc`
