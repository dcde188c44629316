import type { Result } from '../rows/row.ts'

export function table(results: readonly Result[]): string {
  return JSON.stringify(results, null, 2)
}
