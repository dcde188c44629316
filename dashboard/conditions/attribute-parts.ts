import type { Operator } from '../../contract/conditions/condition.ts'
import { durationWords, isDuration } from '../../contract/conditions/duration.ts'
import { operands } from '../../contract/conditions/operators.ts'
import { type Catalogue, type DataType, type Of, typeOf } from './catalogue.ts'
import type { ChipPart, Editor, SetLeaf, ValueSource } from './chip-part.ts'
import type { DraftLeaf } from './draft-leaf.ts'
import { OPERATORS, operatorsOf, withOperator } from './operators.ts'

/** What is shown where a value is missing. */
export const MISSING = '…'

export function attributeParts(leaf: DraftLeaf, catalogue: Catalogue, set: SetLeaf): ChipPart[] {
  const of = (leaf.of ?? 'user') as Of
  const name = String(leaf.attribute)
  return comparisonParts(leaf, typeOf(catalogue, name, of), { of, name }, set)
}

/** Operator and values of a comparison. `key` tells several comparisons of one row apart. */
export function comparisonParts(
  leaf: DraftLeaf,
  type: DataType,
  source: ValueSource | undefined,
  set: SetLeaf,
  key = '',
): ChipPart[] {
  const is = leaf.is as Operator | undefined
  const offered = operatorsOf(type)
  // An operator of another type stays where it is: the page says what it is, and offers those that fit.
  const choices = [...new Set([...(is === undefined ? [] : [is]), ...offered])].map((value) => ({
    value,
    label: OPERATORS[value],
  }))
  const operator: ChipPart = {
    key: `${key}is`,
    label: 'Operator',
    text: is === undefined ? MISSING : OPERATORS[is],
    kind: 'op',
    editor: { type: 'list', choices, chosen: is, set: (value) => set(withOperator(leaf, value as Operator)) },
  }
  return is === undefined ? [operator] : [operator, ...valueParts(leaf, is, type, source, set, key)]
}

function valueParts(
  leaf: DraftLeaf,
  is: Operator,
  type: DataType,
  source: ValueSource | undefined,
  set: SetLeaf,
  key: string,
): ChipPart[] {
  const editor = valueEditor(leaf, is, type, source, set)
  if (!editor) return []
  const shown = shownValues(leaf, is)
  return (shown.length === 0 ? [MISSING] : shown).map((text, index) => ({
    key: `${key}value ${index}`,
    label: 'Value',
    text,
    kind: 'val',
    editor,
  }))
}

function shownValues(leaf: DraftLeaf, is: Operator): string[] {
  const values = [leaf.values, leaf.value].flat().filter((value) => value !== undefined)
  const operand = operands[is]
  if (operand === 'duration')
    return values.map((value) => (isDuration(String(value)) ? durationWords(String(value)) : MISSING))
  if (operand === 'range') return values.length === 2 ? [values.join(' and ')] : []
  return values.map((value) => (value === '' ? '""' : String(value)))
}

function valueEditor(
  leaf: DraftLeaf,
  is: Operator,
  type: DataType,
  source: ValueSource | undefined,
  set: SetLeaf,
): Editor | undefined {
  const value = (next: unknown) => set({ ...leaf, value: next })
  const values = (next: unknown[]) => set({ ...leaf, values: next })
  const from = source ? { source } : {}
  switch (operands[is]) {
    case 'none':
      return undefined
    case 'texts':
      return { type: 'texts', values: texts(leaf.values), ...from, set: values }
    case 'range':
      return { type: 'range', values: (leaf.values ?? []) as number[], set: values }
    case 'number':
      return { type: 'number', value: leaf.value as number | undefined, set: value }
    case 'instant':
      return { type: 'instant', value: String(leaf.value ?? ''), set: value }
    case 'duration':
      return { type: 'duration', value: String(leaf.value ?? ''), set: value }
    default:
      return type === 'number'
        ? { type: 'number', value: leaf.value as number | undefined, set: value }
        : { type: 'text', value: String(leaf.value ?? ''), ...from, set: value }
  }
}

export const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
