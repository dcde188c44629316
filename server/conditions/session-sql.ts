import type { AnswerLeaf, ContentLeaf } from '../../contract/conditions/condition.ts'
import { durationMs } from '../../contract/conditions/duration.ts'
import { countedColumns, countedStates } from '../history/counted.ts'
import { answerJsonb } from '../history/newest-answers.ts'
import { valueSql } from './attribute-sql.ts'
import { readValue } from './read-value.ts'
import { lookUp, type SqlContext } from './sql-context.ts'
import { valueTest } from './value-test.ts'

/** Never unknown: a user who has not seen the content has no state of it. */
export function contentSql(leaf: ContentLeaf, context: SqlContext): string {
  if (leaf.is === 'not_seen') return `not ${holdsSql({ ...leaf, is: 'seen' }, context)}`
  return holdsSql(leaf, context)
}

const times = { seen: 'last_started_at', completed: 'completed_at', dismissed: 'dismissed_at' } as const

function holdsSql({ content, is, within }: ContentLeaf, context: SqlContext): string {
  const { subject, parameters, now } = context
  if (!subject.user) return 'false'
  const time = is === 'active' || is === 'not_seen' ? undefined : countedColumns[times[is]]
  const since = () => `to_timestamp(${parameters.add(now - durationMs(within as string), 'float8')} / 1000)`
  const recent = within === undefined ? `${time} is not null` : `${time} >= ${since()}`
  return `exists (
    select from ${countedStates}
     where state.environment_id = $1::int and state.user_id = ${subject.user.id}
       and content.key = ${parameters.add(content, 'text')}
       and ${time === undefined ? `${countedColumns.active_session_id} is not null` : recent}${lookUp(context)})`
}

/** Of the newest answer. What a deletion of the user left over has no user. */
export function answerSql(leaf: AnswerLeaf, { subject, parameters, now }: SqlContext): string {
  const value = subject.user
    ? `(select ${answerJsonb}
          from content join content_answers as answer
            on answer.environment_id = content.environment_id and answer.content_id = content.id
         where content.environment_id = $1::int and content.key = ${parameters.add(leaf.answer, 'text')}
           and answer.user_id = ${subject.user.id} and answer.question = ${parameters.add(leaf.question, 'text')}
           and not exists (
             select from pending_deletions as deletion
              where deletion.environment_id = $1::int and deletion.owner = 'user' and deletion.owner_id = answer.user_id
                and deletion.boundary >= answer.session_id)
         order by answer.created_at desc, answer.session_id desc
         limit 1)`
    : 'null::jsonb'
  return valueSql(valueTest(leaf), readValue(value), parameters, now)
}
