import { foldSql } from './fold.ts'
import { instantSql } from './instant-sql.ts'
import type { Bound, TestKind } from './value-test.ts'

/** The operands of a test as SQL. */
export interface TestOperands {
  /** A jsonb array of the values of `equals`. */
  values: string
  /** The operand of the kinds of texts. */
  text: string
  /** Whether a number is within the bounds. */
  isWithin: (number: string) => string
}

/** Whether a jsonb value fits a test that is not negated; false or null when it does not. The same as `compareBy`. */
export function testSql(kind: TestKind, value: string, { values, text, isWithin }: TestOperands): string {
  const own = `(${value} #>> '{}')`
  const ofText = (condition: string) => `case when jsonb_typeof(${value}) = 'string' then ${condition} end`
  switch (kind) {
    case 'equals':
      return `${values} @> ${value}`
    case 'equals_folded':
      return ofText(`${values} ? ${foldSql(own)}`)
    case 'contains':
      return ofText(containsSql(own, text))
    case 'contains_folded':
      return ofText(containsSql(foldSql(own), text))
    case 'starts_with':
      return ofText(`starts_with(${own}, ${text})`)
    case 'starts_with_folded':
      return ofText(`starts_with(${foldSql(own)}, ${text})`)
    case 'ends_with':
      return ofText(endsSql(own, text))
    case 'ends_with_folded':
      return ofText(endsSql(foldSql(own), text))
    case 'number':
      return `case when jsonb_typeof(${value}) = 'number' then ${isWithin(`(${value})::numeric`)} end`
    case 'instant':
      return ofText(`(select ${isWithin('instant')} from (select ${instantSql(own)} as instant) as read)`)
    case 'exists':
      return `${value} is not null`
    default:
      return kind satisfies never
  }
}

function containsSql(text: string, operand: string): string {
  return `strpos(${text}, ${operand}) > 0`
}

function endsSql(text: string, operand: string): string {
  return `right(${text}, length(${operand})) = ${operand}`
}

/** The text of a bound as numeric: exact, whatever digits it has. */
export function boundText(bound: Bound | undefined, now: number): string | null {
  if (!bound) return null
  const at = bound.isRelative ? now + bound.at : bound.at
  // A negative instant with more digits is nearer to zero than its milliseconds: they are whole numbers below it.
  if (bound.rest === '') return numericText(at)
  return at >= 0 ? `${at}.${bound.rest}` : `-${BigInt(-at) - 1n}.${complementOf(bound.rest)}`
}

/** `1e21` is not how numeric is written, but it is read. */
function numericText(number: number): string {
  return String(number)
}

/** The digits of 1 minus this fraction. */
function complementOf(digits: string): string {
  const scale = 10n ** BigInt(digits.length)
  return String(scale - BigInt(digits)).padStart(digits.length, '0')
}
