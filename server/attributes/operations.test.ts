import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Attributes } from '../../contract/attributes.ts'
import { limits } from '../../contract/limits.ts'
import { attributeInputs, modelMerge } from '../../test/support/attribute-inputs.ts'
import { applyOperations, parseOperations } from './operations.ts'

it('a sequence of requests leaves what the model says, and a refused one changes nothing', () => {
  fc.assert(
    fc.property(fc.array(attributeInputs, { maxLength: 20 }), (requests) => {
      let stored: Attributes = {}
      for (const inputs of requests) {
        const before = structuredClone(stored)
        const expected = modelMerge(stored, inputs)
        const applied = applyOperations(stored, parseOperations(inputs))
        expect(stored).toStrictEqual(before)
        expect('attributes' in applied).toBe(expected !== undefined)
        if ('attributes' in applied) {
          expect(applied.attributes).toEqual(expected)
          stored = applied.attributes
        }
      }
    }),
    { numRuns: 500 },
  )
})

it('operations that change nothing return the same object, so that nothing is written', () => {
  const stored = { a: 1, b: 'x', c: false }
  for (const inputs of [
    {},
    { a: 1 },
    { b: { set: 'x' } },
    { c: { set_once: true } },
    { a: { add: 0 } },
    { gone: null },
  ]) {
    const applied = applyOperations(stored, parseOperations(inputs))
    expect('attributes' in applied && applied.attributes).toBe(stored)
  }
})

it('a full object can still be changed, and one that is too full can shrink', () => {
  const full = Object.fromEntries(
    Array.from({ length: limits.attributesPerObject }, (_, index) => [`a${index}`, index]),
  )
  expect(applyOperations(full, parseOperations({ a1: 'x' }))).toHaveProperty('attributes')
  expect(applyOperations(full, parseOperations({ a1: null, b: 1 }))).toHaveProperty('attributes')
  expect(applyOperations(full, parseOperations({ b: 1 }))).toHaveProperty('problems')
})

it('names every operation that does not fit the stored value', () => {
  const applied = applyOperations(
    { a: 'x', b: 1, c: true },
    parseOperations({ a: { add: 1 }, b: 2, c: { subtract: 1 } }),
  )
  expect('problems' in applied && applied.problems.map(({ path }) => path)).toEqual(['a.add', 'c.subtract'])
})
