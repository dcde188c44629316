import { present, text, texts } from '../search.ts'
import { ORDERABLE } from './list-columns.tsx'
import { conditionOfFilters } from './old-filters.ts'
import type { Collection } from './queries.ts'

/** The address of a list. Unknown and broken parts are dropped. */
export type ListPageSearch = {
  q?: string | undefined
  /** A condition as JSON. */
  condition?: string | undefined
  order_by?: string | undefined
  columns?: string | undefined
  from?: string | undefined
  /** The object that is open next to the list. */
  open?: string | undefined
}

export function readListSearch(kind: Collection, search: Record<string, unknown>): ListPageSearch {
  const order = text(search.order_by)
  return present({
    q: text(search.q),
    condition: readCondition(text(search.condition)) ?? translated(texts(search.filter), kind),
    order_by: order && ORDERABLE[kind].includes(order.replace(/^-/, '')) ? order : undefined,
    columns: text(search.columns),
    from: text(search.from),
    open: text(search.open),
  })
}

/** What is no JSON object is dropped; whether it is a condition, the server says. */
function readCondition(given: string | undefined): string | undefined {
  try {
    return given !== undefined && typeof JSON.parse(given) === 'object' ? given : undefined
  } catch {
    return undefined
  }
}

function translated(filters: string[] | undefined, kind: Collection): string | undefined {
  const condition = conditionOfFilters(filters ?? [], kind === 'users' ? 'user' : 'group')
  return condition && JSON.stringify(condition)
}
