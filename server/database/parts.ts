import type { EnvironmentId } from './queryable.ts'

/** The items of a batch or a statement in one environment: jobs, keys or rows. Parts are ordered by environment. */
export interface Part<Item> {
  readonly environmentId: EnvironmentId
  readonly items: readonly Item[]
}

export function ofOne<Item>(environmentId: EnvironmentId, items: readonly Item[]): Part<Item>[] {
  return [{ environmentId, items }]
}

/** The parts that have items. */
export function partsOf<Source extends { readonly environmentId: EnvironmentId }, Item>(
  sources: readonly Source[],
  items: (source: Source, index: number) => readonly Item[],
): Part<Item>[] {
  const parts = sources.map((source, index) => ({ environmentId: source.environmentId, items: items(source, index) }))
  return parts.filter((part) => part.items.length > 0)
}

export function itemsOf<Item>(parts: readonly Part<Item>[]): readonly Item[] {
  const [first] = parts
  return parts.length === 1 && first ? first.items : parts.flatMap(({ items }) => items)
}

/** In the form for several environments a found row has the number of its key, from 1. */
export interface Indexed {
  readonly key_number?: number
}

/** The found rows of each part. */
export function rowsByPart<Row extends Indexed>(parts: readonly Part<unknown>[], rows: readonly Row[]): Row[][] {
  if (parts.length === 1) return [rows as Row[]]
  const partOf = parts.flatMap(({ items }, part) => items.map(() => part))
  const found: Row[][] = parts.map(() => [])
  for (const row of rows) found[partOf[(row.key_number as number) - 1] as number]?.push(row)
  return found
}
