/** A line about what the audit has found, or none. */
export function problems(what: string, found: number | readonly unknown[]): string[] {
  if (typeof found === 'number') return found > 0 ? [`${found} ${what}`] : []
  if (found.length === 0) return []
  return [`${found.length} ${what}: ${JSON.stringify(found.slice(0, 5))}`]
}
