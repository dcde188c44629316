import { renderArray } from '../render.ts'
import type { PageEnd } from './list.ts'

/** The list object around its items, each rendered, or several of them joined. */
export function renderList(address: string, query: object, page: PageEnd, items: readonly string[]): string {
  const own = address + queryText(query)
  const next = page.next
    ? address + queryText({ ...query, position: page.next.position, starting_after: page.next.startingAfter })
    : own
  return `{"object":"list","data":${renderArray(items)},"has_more":${page.hasMore},"url":${JSON.stringify(own)},"next_page_url":${JSON.stringify(next)}}`
}

/** The parameters of the request, `starting_after` last. Lists are written `name[]=…` when they have several values. */
function queryText(query: object): string {
  const { position, starting_after, ...others } = query as Record<string, unknown>
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...others, position, starting_after })) {
    if (value === undefined) continue
    const values = [value].flat()
    for (const each of values) parameters.append(values.length > 1 ? `${name}[]` : name, String(each))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}
