import type { EnvironmentId, Transaction } from '../database/database.ts'
import { answerSumsOf } from './answer-sql.ts'
import type { Summed } from './lock-sums.ts'
import { sumsOf } from './run-sql.ts'

/** Adds what some runs come to, as they are stored now, or takes it back. `where` selects them, with `values` from `$2` on. */
type Step = (db: Transaction, environmentId: EnvironmentId, where: string, values: readonly unknown[]) => Promise<void>

export type Until = keyof Summed

/** What is summed of the runs that are over, each up to a time of its own: an earlier version does not know of answers. */
export const SUMS: Record<Until, { add: Step; takeBack: Step }> = {
  summed_until: stepsOf('content_days', 'runs', 'content_id, version_id, day, step, reason, bucket', sumsOf),
  answers_until: stepsOf(
    'content_answer_days',
    'answers',
    'content_id, version_id, question, value, day',
    answerSumsOf,
  ),
}

function stepsOf(table: string, count: string, key: string, sums: (where: string) => string) {
  const keyOf = (row: string) => `(${key.replaceAll(/\w+/g, `${row}.$&`)})`
  const add = (where: string) => `
    insert into ${table} (environment_id, ${key}, ${count})
    select $1::int, ${key}, ${count} from (${sums(where)}) as given
    on conflict (environment_id, ${key}) do update set ${count} = ${table}.${count} + excluded.${count}`
  const matches = (where: string) =>
    `(${sums(where)}) as back where summed.environment_id = $1::int and ${keyOf('summed')} = ${keyOf('back')}`
  const subtract = (where: string) => `
    update ${table} as summed set ${count} = summed.${count} - back.${count} from ${matches(where)}`
  const removeEmpty = (where: string) => `
    delete from ${table} as summed using ${matches(where)} and summed.${count} <= 0`
  const run = (statement: (where: string) => string): Step => {
    return async (db, environmentId, where, values) =>
      void (await db.query(statement(where), [environmentId, ...values]))
  }
  const [subtracted, removed] = [run(subtract), run(removeEmpty)]
  return {
    add: run(add),
    takeBack: async (...step: Parameters<Step>) => {
      await subtracted(...step)
      await removed(...step)
    },
  }
}
