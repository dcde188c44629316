import type { Forms } from '../database/forms.ts'
import { groups, type ObjectTable, users } from './tables.ts'

/** The key of users and groups in an environment. */
export const KEY = { id: 'text' } as const

/** The forms of a statement for each table. */
export function forTables(make: (table: ObjectTable) => Forms): Record<ObjectTable['name'], Forms> {
  return { users: make(users), groups: make(groups) }
}
