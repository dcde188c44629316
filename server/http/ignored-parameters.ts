import { errors, type FieldProblem } from '../errors.ts'
import type { Exchange } from './exchange.ts'

const MOST_NAMES = 20
const MOST_CHARACTERS = 100

/** Query parameters that an operation does not have are ignored. A header and the log name them, since they may be misspelt. */
export function noteIgnored(exchange: Exchange, query: object, known: ReadonlySet<string>): void {
  const names = Object.keys(query).filter((name) => !known.has(name))
  if (names.length === 0) return
  refuseOperators(names, known)
  exchange.ignoredParameters = names
    .slice(0, MOST_NAMES)
    .map((name) => encodeURIComponent(name.toWellFormed().slice(0, MOST_CHARACTERS).toWellFormed()))
    .join(', ')
  exchange.setHeaders({ 'usher-ignored-parameters': exchange.ignoredParameters })
}

/**
 * An operator that a known filter does not have, such as `time[after]`, or none where it needs one (`time`): without the
 * parameter the list would be another one.
 */
function refuseOperators(names: readonly string[], known: ReadonlySet<string>): void {
  const problems = names.flatMap((name): FieldProblem[] => {
    const open = name.indexOf('[')
    if (open === 0 || (open > 0 && !name.endsWith(']'))) return []
    const filter = open < 0 ? name : name.slice(0, open)
    const operators = [...known].filter((each) => each.startsWith(`${filter}[`))
    if (operators.length === 0 && !known.has(filter)) return []
    const remedy = operators.length > 0 ? `use ${operators.join(', ')}` : `${filter} has no operators`
    return [{ param: name.slice(0, MOST_CHARACTERS), message: `is not known; ${remedy}` }]
  })
  if (problems.length > 0) throw errors.invalidParams(problems)
}
