import type { EnvironmentId, Queryable } from '../database/database.ts'
import { errors } from '../errors.ts'
import { isUuid } from '../ids.ts'
import type { OrderField, PagePosition, PageRequest } from './page.ts'
import { column, keyText, type ListSource } from './source.ts'

/** Where the page begins: the position in the URL, or that of the object in `starting_after`, whatever the filters. */
export async function findPosition(
  db: Queryable,
  environmentId: EnvironmentId,
  unfiltered: ListSource,
  { startingAfter, position, order }: PageRequest,
  kind: string,
): Promise<PagePosition | undefined> {
  if (startingAfter === undefined) return undefined
  const isId = unfiltered.idType === 'text' || isUuid(startingAfter)
  if (isId && position?.values.every((value, index) => isValue(unfiltered, order[index], value))) return position
  const keys = order.map(({ name }, index) => `${keyText(column(unfiltered, name))} as key_${index}`)
  const [row] = isId
    ? await db.query<Record<string, string>>(
        `select ${keys.join(', ')}
           from ${unfiltered.from}
          where ${unfiltered.where.join(' and ')} and ${unfiltered.id} = $2::${unfiltered.idType}`,
        [environmentId, startingAfter],
      )
    : []
  if (!row) throw errors.invalidParams([`starting_after: ${kind} with id '${startingAfter}' not found`])
  return { values: order.map((_, index) => row[`key_${index}`] as string), id: startingAfter }
}

/** Whether PostgreSQL accepts the value: the position comes from the caller. */
function isValue(source: ListSource, field: OrderField | undefined, value: string): boolean {
  const type = field && column(source, field.name).type
  if (type === 'instant') return isInstant(value)
  return type === 'text' || (type === 'uuid' ? isUuid(value) : isCanonicalTime(value))
}

/** From the year 0 to the year 9999, and a day more on either side. */
function isInstant(text: string): boolean {
  const ms = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return ms > -62_167_400_000_000 && ms < 253_402_400_000_000
}

/**
 * A time exactly in the form of our answers. `Date.parse` alone turns 30 February into 2 March, and PostgreSQL has neither
 * that day nor a year 0.
 */
function isCanonicalTime(text: string): boolean {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text && /^(?!0000)\d{4}-/.test(text)
}
