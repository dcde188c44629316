/** What was before a change, and what the change is called: "delete step 5". */
export interface Change<Value> {
  name: string
  before: Value
  after: Value
  /** Changes of one field in one go are one. */
  field: string | undefined
  at: number
}

export interface Changes<Value> {
  readonly past: readonly Change<Value>[]
  readonly future: readonly Change<Value>[]
}

const MOST = 100
const ONE_GO_MS = 1500

export const noChanges: Changes<never> = { past: [], future: [] }

export function withChange<Value>(changes: Changes<Value>, change: Change<Value>): Changes<Value> {
  const last = changes.past.at(-1)
  const isSame = last && change.field !== undefined && last.field === change.field && change.at - last.at < ONE_GO_MS
  if (!isSame) return { past: [...changes.past, change].slice(-MOST), future: [] }
  return { past: [...changes.past.slice(0, -1), { ...change, before: last.before }], future: [] }
}

export function undone<Value>({ past, future }: Changes<Value>): { value: Value; changes: Changes<Value> } | undefined {
  const last = past.at(-1)
  return last && { value: last.before, changes: { past: past.slice(0, -1), future: [...future, last] } }
}

export function redone<Value>({ past, future }: Changes<Value>): { value: Value; changes: Changes<Value> } | undefined {
  const next = future.at(-1)
  return next && { value: next.after, changes: { past: [...past, next], future: future.slice(0, -1) } }
}
