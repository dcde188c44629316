import { present, text, texts } from '../search.ts'
import { parseFilter } from './filters.ts'
import { ORDERABLE } from './list-columns.tsx'
import type { Collection } from './queries.ts'

/** The address of a list. Unknown and broken parts are dropped. */
export type ListPageSearch = {
  q?: string | undefined
  filter?: string[] | undefined
  order_by?: string | undefined
  columns?: string | undefined
  from?: string | undefined
  /** The object that is open next to the list. */
  open?: string | undefined
}

export function readListSearch(kind: Collection, search: Record<string, unknown>): ListPageSearch {
  const order = text(search.order_by)
  const filter = texts(search.filter)?.filter((one) => parseFilter(one) !== undefined)
  return present({
    q: text(search.q),
    filter: filter && filter.length > 0 ? filter : undefined,
    order_by: order && ORDERABLE[kind].includes(order.replace(/^-/, '')) ? order : undefined,
    columns: text(search.columns),
    from: text(search.from),
    open: text(search.open),
  })
}
