import type { OrderField, PageRequest, Position } from './page.ts'
import { type ListSource, withId } from './source.ts'

/** What one page of a list differs in from the others. */
export function ownValues({ limit }: PageRequest, after: Position | undefined): unknown[] {
  return [...(after ? [...after.values, after.id] : []), limit]
}

/** How a statement names what its page differs in. */
export interface KeysetNames {
  position(index: number): string
  limit: string
}

/** By parameters, behind those of the environment and of what the source is about. */
export function ownParameters(source: ListSource, page: PageRequest, after: Position | undefined): KeysetNames {
  const types = askedTypes(source, page, after)
  const first = source.values.length + 2
  return ownNames(source, page, after, (index) => `$${first + index}::${types[index]}`)
}

/** By columns of the table of pages that are read together. */
export function askedColumns(source: ListSource, page: PageRequest, after: Position | undefined): KeysetNames {
  return ownNames(source, page, after, (index) => `asked.asked_${index}`)
}

function ownNames(
  source: ListSource,
  { order }: PageRequest,
  after: Position | undefined,
  nameOf: (index: number) => string,
): KeysetNames {
  const fields = withId(source, order)
  return {
    position: (index) => (fields[index]?.type === 'instant' ? `to_timestamp(${nameOf(index)} / 1000)` : nameOf(index)),
    limit: nameOf(after ? fields.length : 0),
  }
}

/** The types of `ownValues`. */
export function askedTypes(source: ListSource, { order }: PageRequest, after: Position | undefined): string[] {
  const position = withId(source, order).map(({ type }) => (type === 'instant' ? 'float8' : type))
  return [...(after ? position : []), 'int']
}

export function orderClause(source: ListSource, order: readonly OrderField[]): string {
  return withId(source, order)
    .map(({ expression, descending }) => (descending ? `${expression} desc` : expression))
    .join(', ')
}

/** `(a, b, id) > (…)` when all fields point the same way, which an index can answer; else spelled out, behind a bound on the first. */
export function followingCondition(source: ListSource, order: readonly OrderField[], own: KeysetNames): string {
  const fields = withId(source, order).map((field, index) => ({ ...field, parameter: own.position(index) }))
  const sign = (descending: boolean) => (descending ? '<' : '>')
  const [first] = fields as [(typeof fields)[number]]
  if (fields.every(({ descending }) => descending === first.descending)) {
    const tuple = (parts: string[]) => `(${parts.join(', ')})`
    return `${tuple(fields.map((field) => field.expression))} ${sign(first.descending)} ${tuple(fields.map((field) => field.parameter))}`
  }
  const beyond = fields.reduceRight((rest, { expression, parameter, descending }) => {
    const past = `${expression} ${sign(descending)} ${parameter}`
    return rest === '' ? past : `(${past} or (${expression} = ${parameter} and ${rest}))`
  }, '')
  return `${first.expression} ${sign(first.descending)}= ${first.parameter} and ${beyond}`
}
