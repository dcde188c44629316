import type { Collection } from './queries.ts'

const SHOWN = 4

export type KnownAttribute = {
  name: string
  type: string
  /** How often it was sent in the last 14 days. */
  uses: number
}

/** The columns of the address, else those that the member chose last, else the four attributes that are sent most. */
export function chosenColumns(
  kind: Collection,
  environment: string,
  inAddress: string | undefined,
  known: KnownAttribute[],
): string[] {
  const chosen = inAddress ?? localStorage.getItem(storedUnder(kind, environment)) ?? undefined
  if (chosen === undefined) return mostUsed(known).map(({ name }) => name)
  return chosen.split(',').filter((name) => known.some((attribute) => attribute.name === name))
}

export function rememberColumns(kind: Collection, environment: string, columns: string[]): void {
  localStorage.setItem(storedUnder(kind, environment), columns.join(','))
}

const storedUnder = (kind: Collection, environment: string) => `columns:${environment}:${kind}`

/** Name and e-mail are in the first column already. Columns are ordered by name, so that the order is stable. */
export function mostUsed(known: KnownAttribute[]): KnownAttribute[] {
  const others = known.filter(({ name }) => name !== 'name' && name !== 'email')
  const kept = others.toSorted((a, b) => b.uses - a.uses).slice(0, SHOWN)
  return others.filter((attribute) => kept.includes(attribute))
}
