import type { AttributeValue } from '../attributes.ts'
import type { Comparison } from './condition.ts'
import { durationWords } from './duration.ts'
import { comparedType, operands, valuesOf } from './operators.ts'

/** `a`, `a or b`, `a, b or c`. */
export function listed(words: readonly string[], last: 'and' | 'or' | 'nor'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

/** A value as a sentence has it: texts in quotes, so that they are told from the words of the sentence. */
export function valueWords(value: AttributeValue): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

export function timesWords(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

/** What an operator says of its subject. `x` is the operand, `xs` are all of them. */
const phrases: Record<string, (x: string, xs: readonly string[]) => string> = {
  equals: (x) => `is ${x}`,
  not_equals: (x) => `is not ${x}`,
  contains: (x) => `contains ${x}`,
  not_contains: (x) => `does not contain ${x}`,
  starts_with: (x) => `starts with ${x}`,
  ends_with: (x) => `ends with ${x}`,
  one_of: (_, xs) => `is ${listed(xs, 'or')}`,
  none_of: (x, xs) => (xs.length === 1 ? `is not ${x}` : `is neither ${listed(xs, 'nor')}`),
  less: (x) => `is less than ${x}`,
  at_most: (x) => `is at most ${x}`,
  more: (x) => `is more than ${x}`,
  at_least: (x) => `is at least ${x}`,
  between: (_, xs) => `is between ${listed(xs, 'and')}`,
  true: () => 'is true',
  false: () => 'is false',
  before: (x) => `is before ${x}`,
  after: (x) => `is after ${x}`,
  less_than_ago: (x) => `is less than ${x} ago`,
  more_than_ago: (x) => `is more than ${x} ago`,
  within_next: (x) => `is within the next ${x}`,
  more_than_ahead: (x) => `is more than ${x} ahead`,
  exists: () => 'is set',
  missing: () => 'is missing',
  filled: () => 'is filled',
}

/** `is at least 5`. */
export function comparisonWords(comparison: Omit<Comparison, 'is'> & { is: string }): string {
  const words = operandWords(comparison)
  const phrase = phrases[comparison.is]?.(words[0] ?? '', words) ?? ''
  return comparison.ignore_case ? `${phrase}, in capitals or not` : phrase
}

function operandWords({ is, ...given }: Omit<Comparison, 'is'> & { is: string }): string[] {
  const operand = operands[is as Comparison['is']]
  const values = valuesOf(given)
  if (operand === 'duration') return values.map((value) => durationWords(String(value)))
  return operand === 'instant' ? values.map(String) : values.map(valueWords)
}

/** What would have to be: `at least 5 are needed`. */
export function neededWords(comparison: Omit<Comparison, 'is'> & { is: string }): string {
  const { is } = comparison
  if (is === 'exists') return 'a value is needed'
  if (is === 'missing') return 'no value is needed'
  const words = comparisonWords(comparison)
  const phrase = words.startsWith('is ') ? words.slice('is '.length) : `what ${words}`
  const needed = comparison.ignore_case ? `${phrase},` : phrase
  return `${needed} ${comparedType(comparison) === 'number' && is !== 'equals' && is !== 'not_equals' ? 'are' : 'is'} needed`
}
