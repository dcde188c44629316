import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { documentTypes, generatedTypes } from '../generate.ts'

it.each([
  ['generated.ts', generatedTypes],
  ['documents.ts', documentTypes],
])('the types of %s are those of the contract (npm run openapi writes them)', (name, typesOf) => {
  expect(readFileSync(new URL(`../src/${name}`, import.meta.url), 'utf8')).toBe(typesOf())
})
