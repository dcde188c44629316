import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { isDateTime } from '../../contract/datetime.ts'
import { errorCodes } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { resources } from '../../contract/resources.ts'
import { buildDocument } from './document.ts'
import { exampleOf } from './schemas.ts'
import type { OperationObject, Parameter, Reference, ResponseObject, Schema } from './types.ts'

const document = buildDocument()
const text = `${JSON.stringify(document, null, 2)}\n`

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, validateFormats: true })
  .addFormat('date-time', isDateTime)
  .addFormat('uri', (value: string) => URL.canParse(value))
  .addVocabulary(['x-rule', 'x-check', 'x-exact', 'x-id', 'x-as-read', 'x-addition', 'components'])
  .addSchema({ $id: 'usher', components: document.components })

/** Equal ones, such as those of failures, are compiled once. */
const compiled = new Map<string, ValidateFunction>()

/** References are to the document; the validator knows it by its id. */
function validatorOf(schema: Schema | Reference): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"usher#/components/')
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text))
  compiled.set(text, validate)
  return validate
}

function expectValid(schema: Schema | Reference, value: unknown, where: string): void {
  const validate = validatorOf(schema)
  const valid = validate(value)
  expect([where, ajv.errorsText(validate.errors), valid]).toEqual([where, 'No errors', true])
}

function resolve<T extends object>(value: T | Reference): T {
  if (!('$ref' in value)) return value
  const found = (value.$ref as string)
    .split('/')
    .slice(1)
    .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], document)
  return found as T
}

const sent: [string, OperationObject][] = [
  ...Object.values(document.paths).flatMap((path) => Object.values(path)),
  ...Object.values(document.webhooks).map(({ post }) => post),
].map((operation) => [operation.operationId, operation])

it('docs/openapi.json matches the code: run `npm run openapi` when this fails', () => {
  expect(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')).toBe(text)
})

it('every reference resolves', () => {
  for (const [, ref] of text.matchAll(/"\$ref": "([^"]+)"/g))
    expect([ref, resolve({ $ref: ref as string })]).toEqual([ref, expect.any(Object)])
})

it('has every operation of the contract', () => {
  const ids = Object.values(document.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
  expect(ids.toSorted()).toEqual(Object.keys(operations).toSorted())
})

describe.each(sent)('%s', (_, operation) => {
  it('is described, and so is each of its parameters, with an example that fits', () => {
    expect(operation.summary).toMatch(/\S/)
    expect(operation.description).toMatch(/\S/)
    for (const parameter of operation.parameters.map((one) => resolve<Parameter>(one))) {
      expect(parameter.description).toMatch(/\S/)
      expectValid(parameter.schema, parameter.example, parameter.name)
    }
  })

  it('has bodies with examples that fit', () => {
    const body = operation.requestBody?.content['application/json']
    if (body) expectValid(body.schema, body.example, 'body')
    for (const [status, response] of Object.entries(operation.responses)) {
      const { description, content, headers = {} } = resolve<ResponseObject>(response)
      expect(description).toMatch(/\S/)
      const { schema, example, examples } = content['application/json']
      const values = examples ? Object.values(examples).map(({ value }) => value) : [example]
      expect(values).not.toEqual([])
      for (const value of values) expectValid(schema, value, status)
      for (const header of Object.values(headers).map(resolve))
        expect(header).toMatchObject({ description: expect.stringMatching(/\S/), example: expect.anything() })
    }
  })
})

function* fieldsOf(schema: Schema, path: string): Generator<[string, Schema]> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    yield [`${path}.${name}`, field]
    yield* fieldsOf(field, `${path}.${name}`)
  }
  for (const part of [schema.items, schema.additionalProperties, ...(schema.anyOf ?? [])])
    if (typeof part === 'object') yield* fieldsOf(part, path)
}

const fields = Object.entries(document.components.schemas).flatMap(([name, schema]) => [
  [name, schema] as [string, Schema],
  ...fieldsOf(schema, name),
])

it.each(fields)('%s has a description and an example that fits', (path, field) => {
  expect(field.description).toMatch(/\S/)
  const example = exampleOf(field)
  expect(example).not.toBeUndefined()
  expectValid(field, example, path)
})

it('every error is described with an example, under its own status', () => {
  const responses = JSON.stringify([document.components.responses, document.paths])
  for (const code of Object.keys(errorCodes)) expect(responses).toContain(`"code":"${code}"`)
})

const additions: [string, boolean | undefined][] = [
  ...['Idempotent-Replayed', 'Usher-Ignored-Parameters'].map(
    (name) => [name, document.components.headers[name]?.['x-addition']] as [string, boolean | undefined],
  ),
  ['position', queryParameter('listUsers', 'position')['x-addition']],
  ['segment', queryParameter('listUsers', 'segment')['x-addition']],
  ['disabled on create', document.components.schemas.CreateWebhookSubscription?.properties?.disabled?.['x-addition']],
  ...['UpsertUser', 'UpsertGroup', 'TrackEvent'].map(
    (name) =>
      [`expand of ${name}`, document.components.schemas[name]?.properties?.expand?.['x-addition']] as [
        string,
        boolean | undefined,
      ],
  ),
]

function queryParameter(operationId: string, name: string): Parameter {
  const [, operation] = sent.find(([id]) => id === operationId) as [string, OperationObject]
  return operation.parameters.map((one) => resolve<Parameter>(one)).find((one) => one.name === name) as Parameter
}

it.each(additions)('%s is marked as an addition', (_, isMarked) => {
  expect(isMarked).toBe(true)
})

it('a list is a parameter with and without brackets, so that generated clients know both', () => {
  for (const name of ['expand', 'order_by']) {
    expect(queryParameter('listUsers', name).schema.type).toBe('string')
    expect(queryParameter('listUsers', `${name}[]`).schema.type).toBe('array')
  }
})

it('an order by name says how many characters it compares', () => {
  for (const list of ['listUsers', 'listGroups'])
    expect(queryParameter(list, 'order_by[]').description).toContain(`first ${limits.orderedCharacters} characters`)
})

it('the headers of the rate limit are on every answer to a request that was counted', () => {
  for (const [, { responses }] of sent.filter(([name]) => name in operations))
    for (const [status, response] of Object.entries(responses)) {
      const { headers = {} } = resolve<ResponseObject>(response)
      expect([status, 'RateLimit-Remaining' in headers]).toEqual([status, !['401', '408', '431'].includes(status)])
    }
})

it('every limit is described with an example', () => {
  const described = document['x-limits']
  expect(Object.fromEntries(Object.entries(described).map(([name, { value }]) => [name, value]))).toEqual(limits)
  for (const { description, example } of Object.values(described))
    expect([description, example].every((words) => /\S/.test(words))).toBe(true)
})

/** The resources whose `key` is a name that people give. That of any other is an API key. */
const hasSlug = (response: string) => ['Content', 'Segment', 'Theme'].includes(response)

it('every operation whose answer shows a secret is marked, so that nothing else shows or keeps it', () => {
  const marked = Object.values<Operation>(operations).map(({ path, response, secretFields = [] }) => {
    const { properties } = resources[response] as unknown as { properties?: object }
    const isSecret = (name: string) =>
      /secret$|key$|token|password/.test(name) && !(name === 'key' && hasSlug(response))
    const found = Object.keys(properties ?? {}).filter(isSecret)
    return [path, found, secretFields]
  })
  for (const [path, found, fields] of marked) expect([path, fields]).toEqual([path, found])
  expect(marked.filter(([, , fields]) => fields?.length === 1)).toHaveLength(2)
})
