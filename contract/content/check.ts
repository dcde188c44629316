import { limits } from '../limits.ts'

/** A problem of a document: the path of the field, such as `steps[0].blocks[1].heading`, and what is wrong with it. */
export interface DocumentProblem {
  path: string
  message: string
}

/** The keywords of JSON Schema that the schemas of documents use. */
export interface DocumentSchema {
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: DocumentSchema
  maxProperties?: number
  propertyNames?: DocumentSchema
  properties?: Readonly<Record<string, DocumentSchema>>
  required?: readonly string[]
  additionalProperties?: boolean | DocumentSchema
  anyOf?: readonly DocumentSchema[]
  oneOf?: readonly DocumentSchema[]
  $ref?: string
  'x-rule'?: string
  'x-check'?: string
  'x-form-by'?: string
}

/** What `x-check` names: the problems of a value at a path. */
export type Checks = Readonly<Record<string, (value: unknown, path: string) => readonly DocumentProblem[]>>

type Definitions = Readonly<Record<string, DocumentSchema>>

/** More are not of use to anybody, and a hostile document would make a long answer. */
const MOST_PROBLEMS = 50

/**
 * Checks a value against a schema. ajv would say of a step with a misspelt field that it matches none of three schemas: here the
 * form is chosen by the field that tells (`x-form-by`), so every message is about the form that was meant. It also runs in the
 * browser, without compiling code.
 */
export function schemaProblems(
  schema: DocumentSchema,
  definitions: Definitions,
  checks: Checks,
  value: unknown,
): DocumentProblem[] {
  return new Checker(definitions, checks).check(schema, value, '').slice(0, MOST_PROBLEMS)
}

const problem = (path: string, message: string): DocumentProblem[] => [{ path, message }]

class Checker {
  readonly #definitions: Definitions
  readonly #checks: Checks

  constructor(definitions: Definitions, checks: Checks) {
    this.#definitions = definitions
    this.#checks = checks
  }

  check(given: DocumentSchema, value: unknown, path: string): DocumentProblem[] {
    const schema = this.#resolve(given)
    if (schema.oneOf) return this.#form(schema, value, path)
    if (schema.anyOf) return this.#any(schema, value, path)
    const wrong = typeProblem(schema, value) ?? valueProblem(schema, value)
    if (wrong !== undefined) return problem(path, wrong)
    return [...this.#below(schema, value, path), ...(this.#checks[schema['x-check'] ?? '']?.(value, path) ?? [])]
  }

  #resolve(schema: DocumentSchema): DocumentSchema {
    return schema.$ref === undefined ? schema : (this.#definitions[nameOf(schema.$ref)] as DocumentSchema)
  }

  #form(schema: DocumentSchema, value: unknown, path: string): DocumentProblem[] {
    if (!isObject(value)) return problem(path, 'must be an object')
    const forms = (schema.oneOf ?? []).map((form) => this.#resolve(form))
    const field = schema['x-form-by'] as string
    if (field === 'key') return this.#formByKey(forms, value, path)
    const form = forms.find(({ properties }) => properties?.[field]?.const === value[field])
    if (form) return this.check(form, value, path)
    const words = forms.map(({ properties }) => properties?.[field]?.const).join(', ')
    const at = join(path, field)
    return [
      ...problem(at, Object.hasOwn(value, field) ? `must be one of ${words}` : `is required: one of ${words}`),
      ...this.#inEveryForm(forms, value, path).filter((one) => one.path !== at),
    ]
  }

  /** What is wrong with a value whatever form it is meant to have. Each form knows other fields. */
  #inEveryForm(forms: readonly DocumentSchema[], value: Record<string, unknown>, path: string): DocumentProblem[] {
    const [first = [], ...others] = forms.map((form) =>
      this.#below({ ...form, additionalProperties: true }, value, path),
    )
    const textOf = (one: DocumentProblem) => `${one.path}: ${one.message}`
    const known = others.map((problems) => new Set(problems.map(textOf)))
    return first.filter((one) => known.every((texts) => texts.has(textOf(one))))
  }

  /** A block with `heading` and `text` is two blocks in one: the first form names the field of the second. */
  #formByKey(forms: readonly DocumentSchema[], value: Record<string, unknown>, path: string): DocumentProblem[] {
    const form = forms.find(({ required = [] }) => Object.hasOwn(value, required[0] as string))
    if (form) return this.check(form, value, path)
    return problem(path, `must have one of the fields ${forms.map(({ required = [] }) => required[0]).join(', ')}`)
  }

  #any(
    { anyOf = [], 'x-rule': rule = 'is not valid' }: DocumentSchema,
    value: unknown,
    path: string,
  ): DocumentProblem[] {
    const form = anyOf.map((one) => this.#resolve(one)).find((one) => typeProblem(one, value) === undefined)
    return form && valueProblem(form, value) === undefined ? this.check(form, value, path) : problem(path, rule)
  }

  #below(schema: DocumentSchema, value: unknown, path: string): DocumentProblem[] {
    const { items, required = [] } = schema
    if (Array.isArray(value))
      return items ? value.flatMap((item, index) => this.check(items, item, `${path}[${index}]`)) : []
    if (!isObject(value)) return []
    return [
      ...required.flatMap((name) => (Object.hasOwn(value, name) ? [] : problem(join(path, name), 'is required'))),
      ...Object.keys(value).flatMap((name) => this.#field(schema, name, value[name], join(path, shorten(name)))),
    ]
  }

  #field(schema: DocumentSchema, name: string, value: unknown, path: string): DocumentProblem[] {
    const { properties = {}, propertyNames, additionalProperties: others } = schema
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known) return this.check(known, value, path)
    if (propertyNames && !matches(propertyNames.pattern, name))
      return problem(path, `the name ${propertyNames['x-rule']}`)
    if (typeof others === 'object') return this.check(others, value, path)
    if (others !== false) return []
    return problem(path, `is not a known field; it may be one of ${Object.keys(properties).join(', ')}`)
  }
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object',
  integer: 'a whole number',
  boolean: 'true or false',
  string: 'a text',
  number: 'a number',
}

function typeProblem({ type, 'x-rule': rule, minimum, maximum }: DocumentSchema, value: unknown): string | undefined {
  if (type === undefined) return undefined
  const types = [type].flat() as string[]
  if (types.some((one) => hasType(one, value))) return undefined
  if (minimum !== undefined) return `must be a whole number from ${minimum} to ${maximum}`
  return rule && types.length === 1 ? rule : `must be ${types.map((one) => typeNames[one]).join(' or ')}`
}

function hasType(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value)
  return typeof value === type
}

function valueProblem(schema: DocumentSchema, value: unknown): string | undefined {
  if (schema.const !== undefined && value !== schema.const) return `must be ${JSON.stringify(schema.const)}`
  if (schema.enum && !schema.enum.includes(value)) return `must be one of ${schema.enum.join(', ')}`
  if (typeof value === 'string') return textProblem(schema, value)
  if (typeof value === 'number') return numberProblem(schema, value)
  const { minItems = 0, maxItems = Infinity, maxProperties = Infinity } = schema
  if (Array.isArray(value)) {
    if (value.length < minItems) return `must have at least ${minItems} item`
    return value.length > maxItems ? `must have at most ${maxItems} items` : undefined
  }
  if (isObject(value) && Object.keys(value).length > maxProperties) return `must have at most ${maxProperties} fields`
  return undefined
}

function textProblem({ minLength = 0, maxLength = Infinity, pattern, 'x-rule': rule }: DocumentSchema, value: string) {
  if (value.length < minLength) return 'must not be empty'
  if (value.length > maxLength) return `must have at most ${maxLength} characters`
  return pattern === undefined || matches(pattern, value) ? undefined : rule
}

function numberProblem({ minimum = -Infinity, maximum = Infinity }: DocumentSchema, value: number): string | undefined {
  return value >= minimum && value <= maximum ? undefined : `must be a whole number from ${minimum} to ${maximum}`
}

const patterns = new Map<string, RegExp>()

function matches(pattern: string | undefined, value: string): boolean {
  if (pattern === undefined) return true
  const compiled = patterns.get(pattern) ?? new RegExp(pattern, 'u')
  patterns.set(pattern, compiled)
  return compiled.test(value)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)

const shorten = (name: string) => (name.length > 60 ? `${name.slice(0, 60)}…` : name)

export function join(path: string, name: string): string {
  if (path === '' || name === '') return path + name
  return name.startsWith('[') ? path + name : `${path}.${name}`
}

/** A finished document has fewer: a condition of eight levels in a way of a step. */
const MOST_LEVELS = 40

/** Why a value is not looked into: it is no object, or too large. The depth is asked first: all that follows goes as deep. */
export function wholeProblems(value: unknown): DocumentProblem[] {
  if (!isObject(value)) return [{ path: '', message: 'must be an object' }]
  if (isDeeper(value, MOST_LEVELS)) return [{ path: '', message: `the document has more than ${MOST_LEVELS} levels` }]
  const bytes = new TextEncoder().encode(JSON.stringify(value)).length
  if (bytes > limits.documentBytes)
    return [{ path: '', message: `the document has ${bytes} bytes; it may have ${limits.documentBytes}` }]
  return []
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1))
}
