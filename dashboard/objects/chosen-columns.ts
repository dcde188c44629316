import type { Kind } from './queries.ts'

/** The columns of the address, else those that the member chose last, else the first four attributes. */
export function chosenColumns(
  kind: Kind,
  environment: string,
  inAddress: string | undefined,
  known: string[],
): string[] {
  const chosen = inAddress ?? localStorage.getItem(storedUnder(kind, environment)) ?? undefined
  if (chosen !== undefined) return chosen.split(',').filter((name) => known.includes(name))
  return preferred(known).slice(0, 4)
}

export function rememberColumns(kind: Kind, environment: string, columns: string[]): void {
  localStorage.setItem(storedUnder(kind, environment), columns.join(','))
}

const storedUnder = (kind: Kind, environment: string) => `columns:${environment}:${kind}`

/** Name and e-mail stand in the first column already. */
const preferred = (known: string[]) => known.filter((name) => name !== 'name' && name !== 'email')
