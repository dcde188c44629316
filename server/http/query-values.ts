import type { FieldProblem } from '../errors.ts'

interface QuerySchema {
  properties?: Record<string, { type?: string }>
}

/**
 * Converts the strings of a query to the types of its schema: lists, and digits to numbers. A single-valued parameter that
 * is given twice with the same value counts once. The schema refuses a string where it expects a number.
 */
export function queryReader(schema: QuerySchema): (query: Record<string, unknown>) => FieldProblem[] {
  const properties = new Map(Object.entries(schema.properties ?? {}))
  return (query) => {
    const problems: FieldProblem[] = []
    for (const name of Object.keys(query)) {
      const type = properties.get(name)?.type
      if (type === undefined) continue
      const values = [query[name]].flat() as string[]
      if (type === 'array') query[name] = values
      else if (values.some((value) => value !== values[0])) problems.push(givenTwice(query, name))
      else query[name] = type === 'integer' ? digits(values[0] as string) : values[0]
    }
    return problems
  }
}

function givenTwice(query: Record<string, unknown>, name: string): FieldProblem {
  delete query[name]
  return { param: name, message: 'is given more than once, with different values; send it once' }
}

/** `1e1`, `0x10`, `+5` and ` 5` are numbers for JavaScript, and mistakes here. */
function digits(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text
}
