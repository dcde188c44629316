const COUNTED = ['accounts', 'users', 'groups', 'events'] as const

/** For a sentence: `1 accounts, 12 users …`, of what people count. */
export function countRows(rows: Readonly<Record<string, number>>): string {
  return COUNTED.map((table) => `${(rows[table] ?? 0).toLocaleString('en-US')} ${table}`).join(', ')
}
