import { BEGAN } from './run-sql.ts'

/** How values of answers are summed: how many answered, a number or an option that was given, any other text. */
export const ALL = ''
export const GIVEN = '='
export const OTHER = '+'

/**
 * The rows of `content_answer_days` that the answers of runs come to. A text counts by itself only if it is an option of its
 * question: what users write stays with them. The options of each version are read once. Answers are looked up by their run
 * (`offset 0`): PostgreSQL expects too many runs, and read all answers to join them.
 */
export function answerSumsOf(where: string, from = 'content_sessions as session'): string {
  return `
    with given as (
      select session.content_id, session.version_id, ${BEGAN} as day, answer.question, part.value, part.is_text,
             count(*)::int as answers
        from ${from}
       cross join lateral (
             select * from content_answers
              where environment_id = $1::int and session_id = session.id
             offset 0) as answer
       cross join lateral (
             select '${ALL}' as value, false as is_text
             union all select '${GIVEN}' || answer.number_answer, false where answer.number_answer is not null
             union all select '${GIVEN}' || answer.text_answer, true where answer.text_answer is not null
             union all select '${GIVEN}' || choice, true
                         from jsonb_array_elements_text(coalesce(answer.list_answer, '[]')) as choices (choice)) as part
       where session.environment_id = $1::int and not session.is_preview and ${where}
       group by 1, 2, 3, 4, 5, 6),
    options as (
      select distinct version.id as version_id, block ->> 'question' as question, '${GIVEN}' || option as value
        from content_versions as version
       cross join lateral jsonb_path_query(version.document::jsonb, 'strict $.** ? (exists (@.options))') as block
       cross join lateral jsonb_array_elements_text(block -> 'options') as options (option)
       where version.environment_id = $1::int and version.id in (select version_id from given where is_text))
    select given.content_id, given.version_id, given.day, given.question,
           case when given.is_text and options.value is null then '${OTHER}' else given.value end as value,
           sum(given.answers)::int as answers
      from given
      left join options on given.is_text and options.version_id = given.version_id
                       and options.question = given.question and options.value = given.value
     group by 1, 2, 3, 4, 5`
}
