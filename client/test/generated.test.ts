import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { generatedTypes } from '../generate.ts'

it('the types of the client are those of the contract (npm run openapi writes them)', () => {
  const file = readFileSync(new URL('../src/generated.ts', import.meta.url), 'utf8')
  expect(file).toBe(generatedTypes())
})
