import type { Item } from './items.ts'

const MOST = 6
const storedUnder = (environment: string) => `recent:${environment}`

/** What was opened from the palette last, newest first. */
export function recentItems(environment: string): Item[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(storedUnder(environment)) ?? '[]')
    return Array.isArray(list) ? (list as Item[]) : []
  } catch {
    return []
  }
}

export function rememberItem(environment: string, item: Item): void {
  const rest = recentItems(environment).filter(({ key }) => key !== item.key)
  localStorage.setItem(storedUnder(environment), JSON.stringify([item, ...rest].slice(0, MOST)))
}
