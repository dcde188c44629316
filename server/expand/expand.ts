import { limits } from '../../contract/limits.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { errors } from '../errors.ts'
import type { MembershipRow } from '../memberships/queries.ts'
import { findObjects, type ObjectRow } from '../objects/queries.ts'
import { groups, type ObjectTable, users } from '../objects/tables.ts'
import {
  type EventFields,
  type Expanded,
  renderArray,
  renderEvent,
  renderGroup,
  renderMembership,
  renderUser,
} from '../render.ts'
import { type ExpandTree, expandable, type Kind } from './paths.ts'
import { findMembershipsOf, findOthers, findRendered, type RenderedRow } from './queries.ts'

interface Rows {
  user: ObjectRow
  group: ObjectRow
  group_membership: MembershipRow
  event: EventFields
}
type Row = Rows[Kind]

const renderers: { [K in Kind]: (row: Rows[K], expanded: Expanded) => string } = {
  user: renderUser,
  group: renderGroup,
  group_membership: renderMembership,
  event: renderEvent,
}

/** A row with how often it stands in the response: the same group can be expanded under a hundred memberships. */
interface Placed {
  row: Row | RenderedRow
  times: number
}

type Links = [parent: string, row: Row | RenderedRow][]

/** Renders objects with what is expanded below them: one query for each level, however many objects it holds. */
export async function renderExpanded<K extends Kind>(
  db: Queryable,
  environmentId: EnvironmentId,
  kind: K,
  rows: readonly Rows[K][],
  tree: ExpandTree,
): Promise<string[]> {
  const expansion = new Expansion(db, environmentId)
  const rendered = await expansion.render(kind, new Map(rows.map((row) => [row.id, { row, times: 1 }])), tree, '')
  return rows.map((row) => rendered.get(row.id) as string)
}

class Expansion {
  readonly #db: Queryable
  readonly #environmentId: EnvironmentId
  #room: number = limits.expandedObjects

  constructor(db: Queryable, environmentId: EnvironmentId) {
    this.#db = db
    this.#environmentId = environmentId
  }

  async render(
    kind: Kind,
    placed: ReadonlyMap<string, Placed>,
    tree: ExpandTree,
    path: string,
  ): Promise<Map<string, string>> {
    const fields: [string, Map<string, string>][] = []
    for (const [field, subtree] of tree) fields.push([field, await this.#field(kind, placed, field, subtree, path)])
    const render = renderers[kind] as (row: Row, expanded: Expanded) => string
    const rendered = new Map<string, string>()
    for (const [id, { row }] of placed) {
      if ('item' in row) {
        rendered.set(id, row.item)
        continue
      }
      const expanded: Record<string, string | undefined> = {}
      for (const [field, texts] of fields) expanded[field] = texts.get(id)
      rendered.set(id, render(row, expanded))
    }
    return rendered
  }

  /** The JSON text of one expanded field, by the id of the object that has it. */
  async #field(
    kind: Kind,
    parents: ReadonlyMap<string, Placed>,
    field: string,
    tree: ExpandTree,
    path: string,
  ): Promise<Map<string, string>> {
    const childKind = (expandable[kind] as Record<string, Kind>)[field] as Kind
    const childPath = path === '' ? field : `${path}.${field}`
    const links = await this.#links(kind, parents, field, childKind, tree.size === 0)
    const children = new Map<string, Placed>()
    for (const [parent, row] of links) {
      const times = (parents.get(parent) as Placed).times
      const child = children.get(row.id)
      if (child) child.times += times
      else children.set(row.id, { row, times })
    }
    this.#take(children, childPath)
    const rendered = await this.render(childKind, children, tree, childPath)
    return field.endsWith('s') ? listsOf(parents, links, rendered) : singlesOf(links, rendered)
  }

  /** `rendered`: nothing is expanded below, and PostgreSQL renders them. */
  async #links(
    kind: Kind,
    parents: ReadonlyMap<string, Placed>,
    field: string,
    childKind: Kind,
    rendered: boolean,
  ): Promise<Links> {
    if (kind === 'user' || kind === 'group') {
      const find = childKind === 'group_membership' ? findMembershipsOf : findOthers
      const rows = await find(this.#db, this.#environmentId, kind, [...parents.keys()], this.#room + 1, rendered)
      return rows.map((row) => [row.parent, row as Row | RenderedRow])
    }
    return await this.#single(
      parents,
      `${field}_id` as 'user_id' | 'group_id',
      childKind === 'user' ? users : groups,
      rendered,
    )
  }

  async #single(
    parents: ReadonlyMap<string, Placed>,
    column: 'user_id' | 'group_id',
    table: ObjectTable,
    rendered: boolean,
  ): Promise<Links> {
    const wanted = [...parents].map(([id, { row }]) => [id, (row as EventFields)[column]] as const)
    const ids = [...new Set(wanted.map(([, id]) => id).filter((id) => id !== null))]
    const rows = await (rendered ? findRendered : findObjects)(this.#db, this.#environmentId, table, ids)
    const found = new Map(rows.map((row) => [row.id, row]))
    return wanted.flatMap(([parent, id]) => {
      const row = id === null ? undefined : found.get(id)
      return row ? [[parent, row] as Links[number]] : []
    })
  }

  #take(children: ReadonlyMap<string, Placed>, path: string): void {
    this.#room -= children.values().reduce((sum, { times }) => sum + times, 0)
    if (this.#room < 0) {
      const list = path.includes('user') ? 'GET /users?group_id=…' : 'GET /groups?user_id=…'
      throw errors.invalidParams([
        `expand: '${path}' would expand more than ${limits.expandedObjects.toLocaleString('en')} objects; ask for a smaller page, or list them with ${list}`,
      ])
    }
  }
}

function singlesOf(links: Links, rendered: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(links.map(([parent, row]) => [parent, rendered.get(row.id) as string]))
}

function listsOf(
  parents: ReadonlyMap<string, Placed>,
  links: Links,
  rendered: ReadonlyMap<string, string>,
): Map<string, string> {
  const lists = new Map<string, string[]>()
  for (const id of parents.keys()) lists.set(id, [])
  for (const [parent, row] of links) lists.get(parent)?.push(rendered.get(row.id) as string)
  return new Map(lists.entries().map(([parent, items]) => [parent, renderArray(items)]))
}
