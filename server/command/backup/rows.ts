const COUNTED = ['accounts', 'users', 'groups', 'events'] as const

/** Part of a message: `1 accounts, 12 users …`. */
export function countRows(rows: Readonly<Record<string, number>>): string {
  return COUNTED.map((table) => `${(rows[table] ?? 0).toLocaleString('en-US')} ${table}`).join(', ')
}
