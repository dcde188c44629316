import type { ExpandTree } from '../expand/paths.ts'
import { renderArray } from '../objects/render.ts'
import type { TakenHorizon } from './horizon.ts'
import type { PageEnd } from './list.ts'
import type { PageQuery } from './page.ts'

/** What a list is asked with, and what its answer needs. */
export interface AskedList {
  readonly query: PageQuery
  readonly tree: ExpandTree
  /** Of the list, without the query. */
  readonly address: string
  readonly horizon: TakenHorizon
}

/** The list object around its rendered items. */
export function renderList(address: string, query: object, page: PageEnd, items: readonly string[]): string {
  const { position, starting_after, ...others } = query as Record<string, unknown>
  // `starting_after` comes last.
  const common = parameters(others)
  const url = (place: object) => {
    const text = [...common, ...parameters(place)].join('&')
    return JSON.stringify(text === '' ? address : `${address}?${text}`)
  }
  const own = url({ position, starting_after })
  const next = page.next ? url({ position: page.next.position, starting_after: page.next.startingAfter }) : own
  return `{"object":"list","data":${renderArray(items)},"has_more":${page.hasMore},"url":${own},"next_page_url":${next}}`
}

/** The list object around items that are not rendered yet. */
export function renderObjects(address: string, query: object, page: PageEnd, objects: readonly object[]): string {
  return renderList(
    address,
    query,
    page,
    objects.map((object) => JSON.stringify(object)),
  )
}

/** Lists are written `name[]=…` when they have several values. */
function parameters(query: object): string[] {
  return Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (!Array.isArray(value) || value.length === 1) return `${name}=${encodeURIComponent(String(value))}`
    return value.map((each) => `${name}%5B%5D=${encodeURIComponent(String(each))}`)
  })
}
