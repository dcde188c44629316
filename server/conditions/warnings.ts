import { type AnyDataType, comparableType, type DataType } from '../../contract/attributes.ts'
import type { Comparison, Condition } from '../../contract/conditions/condition.ts'
import { eachLeaf } from '../../contract/conditions/kinds.ts'
import { comparedType } from '../../contract/conditions/operators.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'

/** A comparison of an attribute of another type than its definition says. */
export interface TypeWarning {
  path: string
  message: string
}

const scopes = { user: 'user', group: 'group', membership: 'group_membership' } as const
const typeNames: Record<DataType, string> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  datetime: 'a date-time',
}

/** Every comparison of the condition whose attribute has another type, with both types named. */
export async function typeWarnings(
  db: Queryable,
  environmentId: EnvironmentId,
  condition: Condition,
): Promise<TypeWarning[]> {
  const compared = comparisonsIn(condition)
  if (compared.length === 0) return []
  const rows = await db.query<{ scope: string; name: string; data_type: AnyDataType }>(
    'select scope, name, data_type from attribute_definitions where environment_id = $1::int and name = any($2::text[])',
    [environmentId, [...new Set(compared.map(({ name }) => name))]],
  )
  const types = new Map(rows.map(({ scope, name, data_type }) => [`${scope} ${name}`, comparableType(data_type)]))
  return compared.flatMap(({ path, scope, name, type }) => {
    const defined = types.get(`${scope} ${name}`)
    if (defined === undefined || defined === type || (defined === 'datetime' && type === 'string')) return []
    return [{ path, message: `${name} is ${typeNames[defined]}, and is compared as ${typeNames[type]}` }]
  })
}

function comparisonsIn(condition: Condition) {
  const found: { path: string; scope: string; name: string; type: DataType }[] = []
  const add = (path: string, scope: string, name: string, comparison: Comparison) => {
    const type = comparedType(comparison)
    if (type !== undefined) found.push({ path, scope, name, type })
  }
  eachLeaf(condition, (leaf, path) => {
    if ('attribute' in leaf) add(path, scopes[leaf.of ?? 'user'], leaf.attribute, leaf)
    if ('event' in leaf)
      for (const [index, test] of (leaf.where ?? []).entries())
        add(`${path}${path === '' ? '' : '.'}where[${index}]`, 'event', test.attribute, test)
  })
  return found
}
