import { expect, it } from 'vitest'
import { operations as dashboard } from './dashboard/operations.ts'
import { operations } from './operations.ts'
import { editOperations, pageOperations, visitorOperations } from './sdk/operations.ts'

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  [keyword: string]: unknown
}

/** Code reads these by rules of its own, before they are looked up or stored. */
const readByCode = ['expand', 'url', 'key', 'path', 'idempotency_key', 'script']
/** Hashed, opened as a seal, or compared in memory. */
const neverLookedUp = ['token', 'visitor', 'signature', 'password', 'current_password', 'new_password']
const neverLookedUpHere = ['readDraft.session', 'propose.session', 'endEdit.session', 'deleteEnvironment.name']

/** The paths of texts that may be any text. */
function anyTexts(schema: Schema, path: string): string[] {
  const { type, properties = {}, items, additionalProperties, anyOf = [] } = schema
  const says = ['pattern', 'enum', 'const', 'format', 'x-check'].some((keyword) => schema[keyword] !== undefined)
  const below = [
    ...Object.entries(properties).map(([name, property]): [Schema, string] => [property, `${path}.${name}`]),
    ...[items, additionalProperties, ...anyOf].flatMap((part): [Schema, string][] =>
      typeof part === 'object' ? [[part, path]] : [],
    ),
  ]
  return [
    ...([type].flat().includes('string') && !says ? [path] : []),
    ...below.flatMap(([part, where]) => anyTexts(part, where)),
  ]
}

// PostgreSQL fails at a NUL in a text, also when it only looks one up: the answer would be 500.
it('no text of a request that is looked up or stored can have a NUL', () => {
  const tables: object[] = [operations, dashboard, pageOperations, editOperations, visitorOperations]
  const all = tables
    .flatMap((table): [string, { query?: Schema; body?: Schema }][] => Object.entries(table))
    .flatMap(([name, { query = {}, body = {} }]) => [...anyTexts(query, name), ...anyTexts(body, name)])
  const isSafe = (path: string) =>
    neverLookedUpHere.includes(path) || [...readByCode, ...neverLookedUp].some((name) => path.endsWith(`.${name}`))
  expect(all.length).toBeGreaterThan(20)
  expect(all.filter((path) => !isSafe(path))).toEqual([])
})
