import { reservedSlugs } from '../../contract/dashboard/paths.ts'

const MOST_CHARACTERS = 60

/** The slug of a new environment: made from its name, and different from those that are taken. */
export function slugFor(name: string, taken: readonly string[]): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
  const base = words.slice(0, MOST_CHARACTERS).replace(/^-|-$/g, '') || 'environment'
  const used = new Set<string>([...taken, ...reservedSlugs])
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`
    if (!used.has(slug)) return slug
  }
}
