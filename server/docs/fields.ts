import type { Schema } from '../openapi/types.ts'
import { breakable, code, inline, table } from './html.ts'

/** The fields of a schema as a table, those of embedded objects below their own. */
export function fieldTable(schema: Schema): string {
  const rows = [...rowsOf(schema, '')]
  const ignored = Object.entries(schema.properties ?? {}).filter(([, field]) => isIgnored(field))
  const note =
    ignored.length > 0
      ? `<p class="note">Also accepted, and ignored or null: ${ignored.map(([name]) => code(name)).join(', ')}.</p>`
      : ''
  return table(['Field', 'Type', 'Meaning'], rows) + note
}

function* rowsOf(schema: Schema, prefix: string): Generator<string[]> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (isIgnored(field)) continue
    const path = prefix + name
    const required =
      schema.required?.includes(name) && prefix === '' && isRequest(schema) ? ' <em class="required">required</em>' : ''
    yield [`<code>${breakable(path)}</code>${required}`, typeText(field), meaning(field)]
    if (field.properties) yield* rowsOf(field, `${path}.`)
    if (field.items?.properties) yield* rowsOf(field.items, `${path}[].`)
  }
}

/** The `object` of a resource is fixed. In the body of a request it is accepted and ignored. */
function isRequest(schema: Schema): boolean {
  return schema.properties?.object?.const === undefined
}

function isIgnored(field: Schema): boolean {
  return field.type === 'null' || (field.type === undefined && !field.$ref && !field.anyOf)
}

function meaning(field: Schema): string {
  const example = field.examples?.[0]
  const shown =
    example === undefined || example === null || example === '' || typeof example === 'object'
      ? ''
      : ` <span class="example">${code(example)}</span>`
  return inline(field.description ?? '') + shown
}

export function typeText(schema: Schema): string {
  if (schema.$ref) return resourceLink(schema.$ref)
  if (schema.anyOf) return schema.anyOf.map(typeText).join(' or ')
  const types = [schema.type ?? 'any']
    .flat()
    .map((type) => (type === 'array' ? `list of ${schema.items ? itemText(schema.items) : 'any'}` : type))
  const choices = (schema.enum ?? []).filter((choice) => choice !== null)
  return types.join(' or ') + rangeText(schema) + (choices.length > 0 ? `: ${choices.map(code).join(', ')}` : '')
}

function rangeText({ minimum, maximum, default: standard }: Schema): string {
  const range =
    minimum === undefined ? '' : maximum === undefined ? `, at least ${minimum}` : `, ${minimum} to ${maximum}`
  return minimum === undefined || standard === undefined ? range : `${range}, default ${standard}`
}

function itemText(items: Schema): string {
  return items.$ref ? resourceLink(items.$ref) : `${typeText(items)}s`
}

export function resourceLink(ref: string): string {
  const name = ref.split('/').at(-1) as string
  return `<a href="/docs/reference/objects#${name}">${name}</a>`
}
