import { foldSql } from './fold.ts'
import type { ReadValue } from './read-value.ts'
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

/** Whether a value fits a test that is not negated; false or null when it does not. The same as `compareBy`. */
export function testSql(kind: TestKind, value: ReadValue, { values, text, isWithin }: TestOperands): string {
  const ofText = (condition: string) => `case when jsonb_typeof(${value.json}) = 'string' then ${condition} end`
  switch (kind) {
    case 'equals':
      return `${values} @> ${value.json}`
    case 'equals_folded':
      return ofText(`${values} ? ${foldSql(value.text)}`)
    case 'contains':
      return ofText(containsSql(value.text, text))
    case 'contains_folded':
      return ofText(containsSql(foldSql(value.text), text))
    case 'starts_with':
      return ofText(`starts_with(${value.text}, ${text})`)
    case 'starts_with_folded':
      return ofText(`starts_with(${foldSql(value.text)}, ${text})`)
    case 'ends_with':
      return ofText(endsSql(value.text, text))
    case 'ends_with_folded':
      return ofText(endsSql(foldSql(value.text), text))
    case 'number':
      return isWithin(value.number)
    case 'instant':
      return isWithin(value.instant)
    case 'exists':
      return `${value.json} is not null`
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

/** The text of the numbers between two bounds as numrange. Without a bound there is no limit on that side. */
export function rangeText(low: Bound | undefined, high: Bound | undefined, now: number): string {
  const [least, most] = [low ? boundText(low, now) : '', high ? boundText(high, now) : '']
  return `${low?.isIncluded ? '[' : '('}${least},${most}${high?.isIncluded ? ']' : ')'}`
}

/** The text of a bound as numeric: exact, whatever digits it has. */
export function boundText(bound: Bound, now: number): string {
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
