import type { Condition, Outcome } from '../../contract/conditions/condition.ts'
import { Compiler, type Meanings } from '../../server/conditions/compile.ts'
import { evaluate } from '../../server/conditions/evaluate.ts'
import { FactReader } from '../../server/conditions/fact-reader.ts'
import type { Facts } from '../../server/conditions/facts.ts'
import { isSelectedSql, needsGroup, type Scope } from '../../server/conditions/members-sql.ts'
import { Parameters } from '../../server/conditions/parameters.ts'
import type { Database, EnvironmentId } from '../../server/database/database.ts'
import { ObjectReader } from '../../server/objects/reader.ts'

/** What conditions are asked of, and at which moment. */
export interface Question extends Meanings {
  readonly environmentId: EnvironmentId
  readonly scope: Scope
  readonly now: number
}

/** By the id of a user or group: what each condition comes to, in their order. */
export type Outcomes = Map<string, Outcome[]>

/** By SQL: for all users or groups at once, all conditions in one statement. */
export async function outcomesInSql(
  database: Database,
  conditions: readonly Condition[],
  { environmentId, ...meant }: Question,
): Promise<Outcomes> {
  const parameters = new Parameters()
  const columns = conditions.map((condition) => isSelectedSql(condition, { ...meant, parameters }))
  const rows = await database.queryUnprepared<{ id: string; outcomes: Outcome[] }>(
    `select object.id, array[${columns.join(', ')}] as outcomes from ${meant.scope}s as object where object.environment_id = $1::int`,
    [environmentId, ...parameters.values],
  )
  return new Map(
    rows.map(({ id, outcomes }) => [
      id,
      outcomes.map((outcome, index) =>
        isOfOneGroup(conditions[index] as Condition, meant) ? outcome === true : outcome,
      ),
    ]),
  )
}

/** In memory: one by one. Of a user with several groups one has to fit. */
export async function outcomesInMemory(
  database: Database,
  conditions: readonly Condition[],
  question: Question,
  ids: readonly string[],
): Promise<Outcomes> {
  const compiler = new Compiler(question)
  const compiled = conditions.map((condition) => compiler.add(condition))
  const { needs } = compiler
  const reader = new FactReader(database, new ObjectReader(database))
  const { environmentId, scope, now } = question
  const asked = { ...question, condition: { all: [...conditions] } }
  const factsOf = async (id: string): Promise<Facts[]> => {
    if (scope === 'user') return await reader.readForEachGroup(environmentId, id, needs, asked, now)
    return [(await reader.readGroup(environmentId, id, needs, now)) as Facts]
  }
  const outcomes = ids.map(async (id) => {
    const facts = await factsOf(id)
    const own = compiled.map((condition, index) => {
      const each = facts.map((one) => evaluate(condition, one))
      return isOfOneGroup(conditions[index] as Condition, question) ? each.includes(true) : (each[0] as Outcome)
    })
    return [id, own] as const
  })
  return new Map(await Promise.all(outcomes))
}

/** Whether one of the user's groups has to fit: then what is not known for one of them does not count. */
function isOfOneGroup(condition: Condition, { scope, segments }: Pick<Question, 'scope' | 'segments'>): boolean {
  return scope === 'user' && needsGroup(condition, segments)
}
