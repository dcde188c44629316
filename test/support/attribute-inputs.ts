import fc from 'fast-check'
import type { AttributeInput, AttributeInputs, Attributes, AttributeValue } from '../../contract/attributes.ts'

/** Random attribute maps of requests, and the simple model of what they do. */

const names = fc.constantFrom('a', 'b', 'c d', 'constructor', 'toString', 'hasOwnProperty', '0', '-')
const text = fc
  .string({ unit: 'grapheme', maxLength: 8 })
  .filter((value) => value.isWellFormed() && !value.includes('\0'))
const number = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, 0.1),
)
const dateTime = fc.constantFrom('2026-01-03T09:30:00Z', '2026-01-03T09:30:00+05:30', '1999-12-31T23:59:59.999999Z')
const value: fc.Arbitrary<AttributeValue> = fc.oneof(text, number, fc.boolean(), dateTime)

const input: fc.Arbitrary<AttributeInput> = fc.oneof(
  value,
  fc.constant(null),
  value.map((set) => ({ set })),
  value.map((set_once) => ({ set_once })),
  number.map((add) => ({ add })),
  number.map((subtract) => ({ subtract })),
)

export const attributeInputs: fc.Arbitrary<AttributeInputs> = fc.dictionary(names, input, { maxKeys: 5 })

/** The contract's table of operations, read aloud. Undefined: the request is refused and changes nothing. */
export function modelMerge(before: Attributes, inputs: AttributeInputs): Attributes | undefined {
  const after = new Map(Object.entries(before))
  for (const [name, given] of Object.entries(inputs)) {
    const current = after.get(name)
    if (given === null) after.delete(name)
    else if (typeof given !== 'object') after.set(name, given)
    else if (given.set !== undefined) after.set(name, given.set)
    else if (given.set_once !== undefined) after.set(name, current ?? given.set_once)
    else {
      const sum =
        typeof (current ?? 0) === 'number' ? Number(current ?? 0) + (given.add ?? -(given.subtract ?? 0)) : Number.NaN
      if (!(Math.abs(sum) <= Number.MAX_SAFE_INTEGER)) return undefined
      after.set(name, sum)
    }
  }
  return Object.fromEntries(after)
}
