import type { OrderField, PagePosition, PageRequest } from './page.ts'
import { type ListSource, withId } from './source.ts'

/** The values in which the pages of a list differ. */
export function pageValues({ limit }: PageRequest, after: PagePosition | undefined): unknown[] {
  return [...(after ? [...after.values, after.id] : []), limit]
}

/** The SQL names of these values in a statement. */
export interface KeysetNames {
  position(index: number): string
  limit: string
}

/** As parameters, after those of the environment and of the source. */
export function pageParameters(source: ListSource, page: PageRequest, after: PagePosition | undefined): KeysetNames {
  const types = pageValueTypes(source, page, after)
  const first = source.values.length + 2
  return keysetNames(source, page, after, (index) => `$${first + index}::${types[index]}`)
}

/** As columns of the table of pages that are read together. */
export function pageColumns(source: ListSource, page: PageRequest, after: PagePosition | undefined): KeysetNames {
  return keysetNames(source, page, after, (index) => `requested.value_${index}`)
}

function keysetNames(
  source: ListSource,
  { order }: PageRequest,
  after: PagePosition | undefined,
  nameOf: (index: number) => string,
): KeysetNames {
  const fields = withId(source, order)
  return {
    position: (index) => (fields[index]?.type === 'instant' ? `to_timestamp(${nameOf(index)} / 1000)` : nameOf(index)),
    limit: nameOf(after ? fields.length : 0),
  }
}

/** The types of `pageValues`. */
export function pageValueTypes(source: ListSource, { order }: PageRequest, after: PagePosition | undefined): string[] {
  const position = withId(source, order).map(({ type }) => (type === 'instant' ? 'float8' : type))
  return [...(after ? position : []), 'int']
}

export function orderClause(source: ListSource, order: readonly OrderField[]): string {
  return withId(source, order)
    .flatMap(({ expression, descending, slot }, index) => {
      const expressions = slot && index === 0 ? [slot.expression, expression] : [expression]
      return expressions.map((each) => (descending ? `${each} desc` : each))
    })
    .join(', ')
}

/**
 * `(a, b, id) > (…)` when all fields have the same direction, which an index serves. Otherwise written out, with a bound on the
 * first field.
 */
export function followingCondition(source: ListSource, order: readonly OrderField[], own: KeysetNames): string {
  const fields = withId(source, order).map((field, index) => ({ ...field, parameter: own.position(index) }))
  const [{ slot, descending, parameter }] = fields as [(typeof fields)[number]]
  const following = afterFields(fields)
  return slot ? `${slot.expression} ${sign(descending)}= ${slot.of(parameter)} and ${following}` : following
}

const sign = (descending: boolean) => (descending ? '<' : '>')

function afterFields(fields: readonly { expression: string; parameter: string; descending: boolean }[]): string {
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
