import { counted } from '../../counted.ts'

const COUNTED = { accounts: 'account', users: 'user', groups: 'group', events: 'event' } as const

/** Part of a message: `1 account, 12 users …`. */
export function countRows(rows: Readonly<Record<string, number>>): string {
  return Object.entries(COUNTED)
    .map(([table, noun]) => counted(rows[table] ?? 0, noun))
    .join(', ')
}
