import { readFileSync, writeFileSync } from 'node:fs'
import { errorCodes } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import { orderable } from '../contract/queries.ts'
import { notificationTopics } from '../contract/topics.ts'
import { plain, requestName, schemas } from '../server/openapi/schemas.ts'
import type { Schema } from '../server/openapi/types.ts'

/**
 * `npm run openapi`: writes the types of the wire, from the schemas of the contract, into src/generated.ts, and the types of
 * documents into src/documents.ts.
 */

const FILE = new URL('./src/generated.ts', import.meta.url)
const DOCUMENTS = new URL('./src/documents.ts', import.meta.url)

export function generatedTypes(): string {
  const interfaces = Object.entries(schemas).map(
    ([name, schema]) => `${comment(schema, '')}export ${declaration(name, schema)}`,
  )
  return [
    '// Made by generate.ts from the schemas of the contract. Do not edit.\n',
    ...interfaces,
    `/** What each operation takes and answers. */\nexport interface Operations {\n${operationTypes()}}\n`,
    `/** The fields that each list can be ordered by. */\nexport interface Orderable {\n${orderTypes()}}\n`,
    `/** The object that the notifications of each topic carry. */\nexport interface NotificationObjects {\n${notificationTypes()}}\n`,
    `export type ErrorCode =\n${Object.keys(errorCodes).map(literalLine).join('\n')}\n`,
    `/** The statuses of failures. */\nexport type ErrorStatus = ${errorStatuses().join(' | ')}\n`,
  ].join('\n')
}

function errorStatuses(): number[] {
  return [...new Set(Object.values(errorCodes).map(({ status }) => status))].sort((a, b) => a - b)
}

const literalLine = (name: string) => `  | '${name}'`

function declaration(name: string, schema: Schema): string {
  return schema.properties ? `interface ${name} ${typeOf(schema, '')}\n` : `type ${name} = ${typeOf(schema, '')}\n`
}

function operationTypes(): string {
  return Object.entries<Operation>(operations)
    .map(([name, { query, body, response }]) => {
      const fields = [
        query && `    query: ${typeOf(plain<Schema>(query), '    ')}`,
        body && `    body: ${requestName(body)}`,
        `    response: ${response}`,
      ]
      return `  ${name}: {\n${fields.filter(Boolean).join('\n')}\n  }\n`
    })
    .join('')
}

function notificationTypes(): string {
  return Object.entries(notificationTopics)
    .map(([topic, { object }]) => `  ${key(topic)}: ${object}\n`)
    .join('')
}

function orderTypes(): string {
  return Object.entries(orderable)
    .map(([list, fields]) => `  ${list}: ${fields.map(literal).join(' | ')}\n`)
    .join('')
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) as string
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.anyOf) return schema.anyOf.map((part) => typeOf(part, indent)).join(' | ')
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  if (schema.type === undefined) return 'unknown'
  return [schema.type]
    .flat()
    .map((type) => named(type, schema, indent))
    .join(' | ')
}

function named(type: string, schema: Schema, indent: string): string {
  if (type === 'integer') return 'number'
  if (type === 'array') return `${schema.items ? parenthesised(typeOf(schema.items, indent)) : 'unknown'}[]`
  return type === 'object' ? objectType(schema, indent) : type
}

function parenthesised(type: string): string {
  return type.includes(' | ') && !type.startsWith('{') ? `(${type})` : type
}

function objectType(schema: Schema, indent: string): string {
  if (!schema.properties) {
    const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {}
    return `{ [name: string]: ${typeOf(values, indent)} }`
  }
  const inner = `${indent}  `
  const fields = Object.entries(schema.properties).map(([name, field]) => {
    const mark = schema.required?.includes(name) ? '' : '?'
    return `${comment(field, inner)}${inner}${key(name)}${mark}: ${typeOf(field, inner)}\n`
  })
  return `{\n${fields.join('')}${indent}}`
}

function key(name: string): string {
  return /^\w+$/.test(name) ? name : literal(name)
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)
}

function comment({ description }: Schema, indent: string): string {
  return description ? `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n` : ''
}

/** The types of documents are the contract's own, in one file, since the package has nothing of the contract. */
export function documentTypes(): string {
  const sources = ['conditions/condition', 'content/document', 'content/theme'].map((name) =>
    readFileSync(new URL(`../contract/${name}.ts`, import.meta.url), 'utf8')
      .replace(/^import .*\n/gm, '')
      .replace(/^export const defaultTheme[\s\S]*?^}\n/m, '')
      .replace(/^\/\*\* What content without a theme uses. \*\/\n/m, '')
      .replace(/^export const/gm, 'const')
      .trim(),
  )
  const head = `// Made by generate.ts from the types of the contract. Do not edit.

import type { AttributeValue, DataType } from './attributes.ts'

type Attributes = Record<string, AttributeValue>
type AttributeInput =
  | AttributeValue
  | null
  | {
      set?: AttributeValue
      set_once?: AttributeValue
      add?: number
      subtract?: number
      data_type?: DataType | null
    }`
  return `${[head, ...sources].join('\n\n')}\n`
}

if (import.meta.main) {
  writeFileSync(FILE, generatedTypes())
  writeFileSync(DOCUMENTS, documentTypes())
}
