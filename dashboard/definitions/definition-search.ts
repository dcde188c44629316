import { one, present, text } from '../search.ts'
import { ORDERS, SCOPES } from './queries.ts'

export type DefinitionPageSearch = {
  q?: string | undefined
  order_by?: (typeof ORDERS)[number] | undefined
  scope?: (typeof SCOPES)[number] | undefined
}

export function readDefinitionSearch(search: Record<string, unknown>): DefinitionPageSearch {
  return present({ q: text(search.q), order_by: one(search.order_by, ORDERS), scope: one(search.scope, SCOPES) })
}
