import type { AnyDataType } from '../../../contract/attributes.ts'
import type { SeenAttribute, SeenEvent } from '../../definitions/seen-queries.ts'

/** A TypeScript declaration of the attributes of an environment, for the generics of the client. */
export function declareTypes(attributes: readonly SeenAttribute[], events: readonly SeenEvent[]): string {
  const byScope = Map.groupBy(attributes, ({ scope }) => scope)
  const kinds = (['user', 'group', 'group_membership'] as const).map((scope) => {
    const fields = (byScope.get(scope) ?? []).map((attribute) => field(attribute, '    '))
    return `  ${scope}: ${record(fields, '  ')}\n`
  })
  const onEvents = new Map((byScope.get('event') ?? []).map((attribute) => [attribute.name, attribute]))
  const named = events.map(({ name, attributes: used }) => {
    const fields = used.flatMap((key) => onEvents.get(key) ?? []).map((attribute) => field(attribute, '      '))
    return `    ${property(name)}: ${record(fields, '    ')}\n`
  })
  return `export interface Definitions {\n${kinds.join('')}  events: ${record(named, '  ')}\n}`
}

/** Those of the service itself are ids. */
const types: Partial<Record<AnyDataType, string>> = {
  string: 'string',
  boolean: 'boolean',
  number: 'number',
  datetime: 'string',
}

/** Values of other types than the first are stored too. Such an attribute can have any type. */
function field({ name, data_type, has_conflicts }: SeenAttribute, indent: string): string {
  const comment = data_type === 'datetime' && !has_conflicts ? `${indent}/** An ISO 8601 date-time. */\n` : ''
  const type = has_conflicts ? 'string | number | boolean' : (types[data_type] ?? 'string')
  return `${comment}${indent}${property(name)}: ${type}\n`
}

/** An object without any fields takes none. */
function record(fields: readonly string[], indent: string): string {
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('')}${indent}}`
}

function property(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)
}
