import { limits } from '../../contract/limits.ts'
import { errors } from '../errors.ts'

/** One field of an order. The caller chooses among our columns. */
export interface OrderField {
  name: string
  descending: boolean
}

export interface PageRequest {
  limit: number
  order: readonly OrderField[]
  startingAfter: string | undefined
  position: PagePosition | undefined
}

/** Where a page ends: the values that its last object is ordered by, and its id. */
export interface PagePosition {
  values: readonly string[]
  id: string
}

export interface PageQuery {
  limit?: number
  order_by?: string[]
  starting_after?: string
  position?: string
}

export function parsePage(
  query: PageQuery,
  orderable: readonly string[],
  standard = orderable[0] as string,
): PageRequest {
  const order = parseOrder(query.order_by ?? [standard], orderable)
  return {
    limit: query.limit ?? limits.listDefault,
    order,
    startingAfter: query.starting_after,
    position:
      query.starting_after === undefined ? undefined : decodePosition(query.position, order, query.starting_after),
  }
}

function parseOrder(names: readonly string[], orderable: readonly string[]): OrderField[] {
  const order = names
    .flatMap((name) => name.split(','))
    .map((name) => (name.startsWith('-') ? { name: name.slice(1), descending: true } : { name, descending: false }))
  const problems = order
    .filter(({ name }) => !orderable.includes(name))
    .map(
      ({ name }) =>
        `order_by: '${name.slice(0, 100)}' is not orderable; use ${orderable.join(', ')}, each with - before it for descending`,
    )
  if (problems.length > 0) throw errors.invalidParams(problems)
  // A field that is named twice has no effect the second time.
  return order.filter(({ name }, index) => order.findIndex((field) => field.name === name) === index)
}

/** Contains the order: a position is valid in its own order only. */
export function encodePosition(order: readonly OrderField[], { values, id }: PagePosition): string {
  return Buffer.from(JSON.stringify([orderText(order), ...values, id])).toString('base64url')
}

/** An invalid position, or one of another order or object, is ignored: the object itself is looked up. */
function decodePosition(text: string | undefined, order: readonly OrderField[], id: string): PagePosition | undefined {
  if (text === undefined) return undefined
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (!Array.isArray(parts) || parts.length !== order.length + 2) return undefined
    if (!parts.every((part) => typeof part === 'string' && !part.includes('\0'))) return undefined
    if (parts[0] !== orderText(order) || parts.at(-1) !== id) return undefined
    return { values: parts.slice(1, -1), id }
  } catch {
    return undefined
  }
}

export function orderText(order: readonly OrderField[]): string {
  return order.map(({ name, descending }) => (descending ? `-${name}` : name)).join(',')
}
