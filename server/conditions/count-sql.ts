import type { Condition } from '../../contract/conditions/condition.ts'
import { eachLeaf } from '../../contract/conditions/kinds.ts'
import type { EnvironmentId } from '../database/database.ts'
import type { Meanings } from './compile.ts'
import { isSelectedSql, type MembersContext, needsGroup, type Scope } from './members-sql.ts'
import { Parameters } from './parameters.ts'
import { RowColumns } from './read-value.ts'

/** What is counted. */
export interface CountRequest extends Meanings {
  environmentId: EnvironmentId
  condition: Condition
  scope: Scope
  now: number
}

export interface CountStatement {
  text: string
  values: unknown[]
}

/**
 * Counts the whole, each leaf by itself, and all there are in one scan. `oneIn`: only a sample of the rows, one in so many,
 * chosen by a hash of the id.
 */
export function countStatement(request: CountRequest, oneIn: number): CountStatement {
  const { environmentId, condition, scope, segments, keptDays, now } = request
  const parameters = new Parameters()
  const context: MembersContext = { scope, parameters, segments, keptDays, now }
  const leaves: Condition[] = []
  eachLeaf(condition, (leaf) => leaves.push(leaf))
  const sampled = oneIn === 1 ? '' : ` and mod(hashtext(object.id), ${oneIn}) = 0`
  const from = `${scope}s as object`
  const where = `object.environment_id = $1::int${sampled}`
  const total = 'count(*)::int as total'
  if (leaves.length === 1) {
    const isSelected = isSelectedSql(condition, context)
    // What reads other rows can be joined where it is a condition of the statement; all are then counted apart.
    const text = readsOthers(leaves[0] as Condition)
      ? `select count(*)::int as whole, (select ${total} from ${from} where ${where}) from ${from} where ${where} and ${isSelected}`
      : `select count(*) filter (where ${isSelected})::int as whole, ${total} from ${from} where ${where}`
    return { text, values: [environmentId, ...parameters.values] }
  }
  const columns = new RowColumns()
  const asked = { ...context, columns }
  const lines = leaves.map((leaf, index) => `${isSelectedSql(leaf, asked)} as line_${index}`)
  // Of a user with several groups, each line alone may fit another group: then the whole is asked for by itself.
  const isApart = scope === 'user' && needsGroup(condition, segments)
  const whole = isApart ? isSelectedSql(condition, asked) : ofLines(condition, { next: 0 })
  const counts = leaves.map((_, index) => `count(*) filter (where line_${index})::int as line_${index}`)
  // `offset 0` keeps PostgreSQL from writing what is read or asked once into every place that names it.
  const text = `
    select count(*) filter (where ${isApart ? 'whole' : whole})::int as whole, ${total}, ${counts.join(', ')}
      from (select ${isApart ? `${whole} as whole, ` : ''}${lines.join(', ')}
              from (select object.id, object.attributes, object.created_at${columns.list}
                      from ${from} where ${where} offset 0) as object
            offset 0) as asked`
  return { text, values: [environmentId, ...parameters.values] }
}

function readsOthers(leaf: Condition): boolean {
  return !('attribute' in leaf && (leaf.of ?? 'user') === 'user')
}

/** The condition over the columns of its leaves, which stand in the order of `eachLeaf`. */
function ofLines(part: Condition, place: { next: number }): string {
  if ('all' in part) return `(${part.all.map((each) => ofLines(each, place)).join(' and ')})`
  if ('any' in part) return `(${part.any.map((each) => ofLines(each, place)).join(' or ')})`
  if ('not' in part) return `not ${ofLines(part.not, place)}`
  const column = `line_${place.next}`
  place.next += 1
  return column
}
