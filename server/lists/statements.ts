import { guardOf } from '../expand/expand.ts'
import { type ExpandTree, treeText } from '../expand/paths.ts'
import { expandedFields, listTables } from '../expand/sql.ts'
import { sqlOf } from '../objects/render-sql.ts'
import { WeightedCache } from '../weighted-cache.ts'
import { orderText, type PagePosition, type PageRequest } from './page.ts'
import type { RenderedRow } from './read-together.ts'
import { type RenderedPage, renderedPage } from './rendered-page.ts'
import type { ListSource } from './source.ts'

/** About a thousand pages without expansions, or twenty of the deepest. */
const MOST_WEIGHT = 8 * 1024 * 1024
const cache = new WeightedCache<string, RenderedPage>(MOST_WEIGHT, (page) => JSON.stringify(page).length)

/** The columns of a page that its objects are expanded by. */
const expandedBy = { user: 'id', group: 'id', event: 'user_id, group_id' } as const

/** Caches the texts of statements: making one takes as long as everything else about its request. */
export function statementOf(
  source: ListSource,
  request: PageRequest,
  after: PagePosition | undefined,
  kind: 'user' | 'group' | 'event',
  tree: ExpandTree,
): RenderedPage {
  const key = [source.from, ...source.where, orderText(request.order), after !== undefined, treeText(tree)].join('\n')
  const known = cache.get(key)
  if (known) return known
  const json = sqlOf(kind, 'object', expandedFields(kind, tree, 'object'))
  const rootOf = (limit: string) => `(select ${expandedBy[kind]} from page limit ${limit}) as root`
  const guard = (limit: string) => (tree.size > 0 ? guardOf(kind, tree, rootOf(limit)) : undefined)
  const made = {
    ...renderedPage(source, request, after, json, guard),
    ...listedPage(source, request, after, kind, tree),
  }
  cache.set(key, made)
  return made
}

/**
 * The page of objects with one expanded list, which is read for all of them at once and counted on the way. When it is over
 * the limit the statement that names the path over the limit is used.
 */
function listedPage(
  source: ListSource,
  request: PageRequest,
  after: PagePosition | undefined,
  kind: 'user' | 'group' | 'event',
  tree: ExpandTree,
): Pick<RenderedPage, 'listed'> {
  const list = listTables(kind, tree, 'object')
  if (!list) return {}
  const json = sqlOf(kind, 'object', list.fields)
  const { text, together } = renderedPage(source, request, after, json, () => undefined, list)
  const isWithinLimit = ({ linked }: RenderedRow) => Number(linked) <= list.mostLinks
  return { listed: { text, together, isWithinLimit } }
}
