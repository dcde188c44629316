import type { Condition } from '../../contract/conditions/condition.ts'
import { orderable } from '../../contract/queries.ts'
import { isSelectedSql } from '../conditions/members-sql.ts'
import { Parameters } from '../conditions/parameters.ts'
import { inScanTurn } from '../conditions/scan-turns.ts'
import type { EnvironmentId, Reader } from '../database/database.ts'
import { errors } from '../errors.ts'
import { parseExpand } from '../expand/paths.ts'
import { followingCondition, type KeysetNames, orderClause } from '../lists/keyset.ts'
import { keysOf, pageEnd } from '../lists/list.ts'
import { type PagePosition, type PageQuery, type PageRequest, parsePage } from '../lists/page.ts'
import { findPosition } from '../lists/position.ts'
import { listPageText } from '../lists/rendered-page.ts'
import { renderList } from '../lists/response.ts'
import { column, keyText, type ListSource, withId } from '../lists/source.ts'
import { statementOf } from '../lists/statements.ts'
import type { ObjectTable } from '../objects/tables.ts'
import { objectSource } from '../reads/lists.ts'
import type { Services } from '../services.ts'
import { findMeanings } from './queries.ts'

/** A page ends after this time, short or empty, and says that more may follow. */
const LONGEST_MS = 800
/** How many objects are looked at in one statement: more as long as it takes less than this. */
const FIRST_STEP = 200
const LARGEST_STEP = 20_000
const QUICK_MS = 100

/** `GET /users?segment=`: the members of a segment, by any order of the list. */
export async function answerMembers(
  { listReader, now }: Pick<Services, 'listReader' | 'now'>,
  environmentId: EnvironmentId,
  table: ObjectTable,
  key: string,
  query: PageQuery & { expand?: string[] },
  address: string,
): Promise<string> {
  const tree = parseExpand(table.object, query.expand)
  const request = parsePage(query, orderable[table.name])
  return await listReader.read(async (db) => {
    const walk = await startWalk(db, environmentId, table, key, request, now())
    const { ids, ...page } = await walk.page()
    if (ids.length === 0) return renderList(address, query, page, [])
    const source = withIds(objectSource(table), ids)
    const whole = { ...request, limit: ids.length }
    const statement = statementOf(source, whole, undefined, table.object, tree)
    const { items } = await listPageText(db, environmentId, source, whole, undefined, statement)
    return renderList(address, query, page, [items])
  })
}

function withIds(source: ListSource, ids: readonly string[]): ListSource {
  return { ...source, where: [...source.where, 'object.id = any($2::text[])'], values: [ids], filtered: true }
}

async function startWalk(
  db: Reader,
  environmentId: EnvironmentId,
  table: ObjectTable,
  key: string,
  request: PageRequest,
  now: number,
): Promise<MembersWalk> {
  const { rows, ...meanings } = await findMeanings(db, environmentId)
  const row = rows.find((each) => each.key === key)
  if (!row) throw errors.invalidParams([`segment: there is no segment '${key.slice(0, 100)}'`])
  if (row.scope !== table.object)
    throw errors.invalidParams([`segment: ${key} is a segment of ${row.scope}s; list it with GET /${row.scope}s`])
  const source = objectSource(table)
  const after = await findPosition(db, environmentId, source, request, table.kind)
  const parameters = new Parameters()
  const context = { ...meanings, scope: row.scope, parameters, now }
  const isMember = isSelectedSql(JSON.parse(row.condition) as Condition, context)
  return new MembersWalk({ db, environmentId, source, request, isMember, values: parameters.values }, after)
}

/** `place` is its place in the step. */
type ScannedRow = Record<string, string> & { id: string; place: string }

/** A list of which the members of a segment are asked for. */
interface AskedMembers {
  db: Reader
  environmentId: EnvironmentId
  source: ListSource
  request: PageRequest
  /** SQL about a row, `object`. */
  isMember: string
  /** Its parameters, from `$2` on. */
  values: readonly unknown[]
}

/**
 * Looks through a list in steps, each from where the last one ended, until the page is full, the list has ended, or the time
 * is over. The next page begins where this one stopped looking.
 */
class MembersWalk {
  readonly #asked: AskedMembers
  #after: PagePosition | undefined
  #step = FIRST_STEP

  constructor(asked: AskedMembers, after: PagePosition | undefined) {
    this.#asked = asked
    this.#after = after
  }

  async page() {
    const endsAt = performance.now() + LONGEST_MS
    const { request } = this.#asked
    const { limit } = request
    const found: PagePosition[] = []
    let isEnd = false
    while (found.length <= limit && !isEnd && (this.#step === FIRST_STEP || performance.now() < endsAt)) {
      const { members, last, isLast } = await this.#look(limit + 1 - found.length)
      found.push(...members)
      this.#after = last ?? this.#after
      isEnd = isLast
    }
    const shown = found.slice(0, limit)
    const isFull = found.length > limit
    const end = isFull || isEnd ? (shown.at(-1) ?? this.#after) : this.#after
    const { next } = pageEnd(request, end, 0)
    return { ids: shown.map(({ id }) => id), hasMore: isFull || !isEnd, next }
  }

  /** One step. The rows are the members, and then the last row that was looked at. */
  async #look(wanted: number) {
    const { db, environmentId } = this.#asked
    const step = this.#step
    const [rows, took] = await inScanTurn(db, environmentId, async () => {
      const startedAt = performance.now()
      const found = await db.queryUnprepared<ScannedRow>(this.#text(step, wanted), this.#stepValues())
      return [found, performance.now() - startedAt] as const
    })
    this.#step = took < QUICK_MS ? Math.min(LARGEST_STEP, step * 4) : Math.max(FIRST_STEP / 4, Math.round(step / 2))
    const last = rows.at(-1)
    const positions = rows.slice(0, -1).map((row) => this.#positionOf(row))
    return { members: positions, last: last && this.#positionOf(last), isLast: Number(last?.place ?? 0) < step }
  }

  #positionOf(row: ScannedRow): PagePosition {
    return { values: keysOf(this.#asked.request).map((key) => row[key] as string), id: row.id }
  }

  #stepValues(): unknown[] {
    const after = this.#after
    const { environmentId, values } = this.#asked
    return [environmentId, ...values, ...(after ? [...after.values, after.id] : [])]
  }

  #text(step: number, wanted: number): string {
    const { source, request, isMember } = this.#asked
    const { order } = request
    const keys = order.map(({ name }, index) => `${keyText(column(source, name))} as key_${index}`)
    const shown = ['id', ...keysOf(request), 'place'].map((name) => `object.${name}`).join(', ')
    const following = this.#after ? ` and ${followingCondition(source, order, this.#names())}` : ''
    return `
      with looked_at as materialized (
        select *, row_number() over () as place
          from (select ${source.select}, ${keys.join(', ')} from ${source.from}
                 where ${source.where.join(' and ')}${following}
                 order by ${orderClause(source, order)} limit ${step}) as nearest)
      (select ${shown} from looked_at as object where ${isMember} order by place limit ${wanted})
      union all
      (select ${shown} from looked_at as object order by place desc limit 1)`
  }

  #names(): KeysetNames {
    const { source, request, values } = this.#asked
    const fields = withId(source, request.order)
    const first = values.length + 2
    return {
      position: (index) => `$${first + index}::${fields[index]?.type}`,
      limit: '',
    }
  }
}
