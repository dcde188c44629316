import fc from 'fast-check'
import type {
  AttributeInput,
  AttributeInputs,
  Attributes,
  AttributeValue,
  Operands,
  OperationKey,
} from '../../contract/attributes.ts'

/** Random attribute maps of requests, and the simple model of what they do. */

const names = fc.constantFrom('a', 'b', 'c d', 'constructor', 'toString', 'hasOwnProperty', '0', '-')
const text = fc
  .string({ unit: 'grapheme', maxLength: 8 })
  .filter((value) => value.isWellFormed() && !value.includes('\0'))
const number = fc
  .oneof(
    fc.integer({ min: -5, max: 5 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, 0.1),
  )
  // JSON writes those in digits, and whole numbers in digits beyond 2^53 are refused.
  .filter((each) => !Number.isInteger(each) || Number.isSafeInteger(each) || Math.abs(each) >= 1e21)
const dateTime = fc.constantFrom('2026-01-03T09:30:00Z', '2026-01-03T09:30:00+05:30', '1999-12-31T23:59:59.999999Z')
const value: fc.Arbitrary<AttributeValue> = fc.oneof(text, number, fc.boolean(), dateTime)

/** Every operation of the contract: one that is missing here, or in the model below, does not compile. */
const operands: { [Key in OperationKey]: fc.Arbitrary<Operands[Key]> } = {
  set: value,
  set_once: value,
  add: number,
  subtract: number,
}

/** An attribute with one operation. */
export const operationInputs = Object.entries(operands).map(([key, operand]) =>
  (operand as fc.Arbitrary<AttributeValue>).map((each): AttributeInput => ({ [key]: each })),
)

const input: fc.Arbitrary<AttributeInput> = fc.oneof(value, fc.constant(null), ...operationInputs)

export const attributeInputs: fc.Arbitrary<AttributeInputs> = fc.dictionary(names, input, { maxKeys: 5 })

type Value = AttributeValue | undefined

/** The contract's table of operations. Undefined: the request is refused. */
const models: { [Key in OperationKey]: (current: Value, operand: Operands[Key]) => Value } = {
  set: (_, operand) => operand,
  set_once: (current, operand) => current ?? operand,
  add: (current, amount) => safeNumber(current, (number) => number + amount),
  subtract: (current, amount) => safeNumber(current, (number) => number - amount),
}

function safeNumber(current: Value = 0, change: (number: number) => number): number | undefined {
  const result = typeof current === 'number' ? change(current) + 0 : Number.NaN
  return Number.isFinite(result) ? result : undefined
}

/** What a request makes of attributes. Undefined: the request is refused and changes nothing. */
export function modelMerge(before: Attributes, inputs: AttributeInputs): Attributes | undefined {
  const after = new Map(Object.entries(before))
  for (const [name, given] of Object.entries(inputs)) {
    if (given === null) {
      after.delete(name)
      continue
    }
    const result = typeof given === 'object' ? modelOperation(after.get(name), given) : given
    if (result === undefined) return undefined
    after.set(name, result)
  }
  return Object.fromEntries(after)
}

function modelOperation(current: Value, given: Partial<Operands>): Value {
  const [[key, operand]] = Object.entries(given) as [[OperationKey, never]]
  return models[key](current, operand)
}
