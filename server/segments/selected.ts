import { isSelectedSql } from '../conditions/members-sql.ts'
import { Parameters } from '../conditions/parameters.ts'
import { inScanTurn } from '../conditions/scan-turns.ts'
import type { EnvironmentId, Reader } from '../database/database.ts'
import type { Asked } from './questions.ts'

/** Of these users or groups, those that a condition selects. */
export async function selectedAmong(
  db: Reader,
  environmentId: EnvironmentId,
  { condition, scope, segments, keptDays }: Asked,
  ids: readonly string[],
  now: number,
): Promise<string[]> {
  if (ids.length === 0) return []
  const parameters = new Parameters()
  const among = parameters.add(ids, 'text[]')
  const isSelected = isSelectedSql(condition, {
    scope,
    parameters,
    segments,
    keptDays,
    now,
    isOfSome: true,
  })
  const text = `
    select object.id from ${scope}s as object
     where object.environment_id = $1::int and object.id = any(${among}) and ${isSelected}`
  const rows = await inScanTurn(db, environmentId, () =>
    db.queryUnprepared<{ id: string }>(text, [environmentId, ...parameters.values]),
  )
  return rows.map(({ id }) => id)
}

/** How many rows are looked at for examples. */
const LOOKED_AT = 2_000

export interface Sampled {
  id: string
  attributesJson: string
  /** How many parts of the condition do not hold. */
  lacking: number
}

/**
 * Some whom a condition selects and some whom one part of it keeps out, among those after a random place of the list: asked
 * again, it finds others.
 */
export async function sampleAround(
  db: Reader,
  environmentId: EnvironmentId,
  { condition, scope, segments, keptDays }: Asked,
  each: number,
  now: number,
): Promise<Sampled[]> {
  const parameters = new Parameters()
  const context = { scope, parameters, segments, keptDays, now, isOfSome: true }
  const isSelected = isSelectedSql(condition, context)
  const parts = 'all' in condition ? condition.all : [condition]
  const lacking = parts.map((part) => `(not coalesce(${isSelectedSql(part, context)}, false))::int`).join(' + ')
  const place = parameters.add(Math.random(), 'double precision')
  const most = parameters.add(each, 'int')
  const text = `
     with bounds as (
       select min(created_at) as first, max(created_at) as last from ${scope}s where environment_id = $1::int),
     looked_at as materialized (
       (select object.* from ${scope}s as object, bounds
         where object.environment_id = $1::int and object.created_at >= first + (last - first) * ${place}
         order by object.created_at limit ${LOOKED_AT})
       union all
       (select object.* from ${scope}s as object, bounds
         where object.environment_id = $1::int and object.created_at < first + (last - first) * ${place}
         order by object.created_at desc limit ${LOOKED_AT})),
     asked as (
       select id, attributes, case when ${isSelected} then 0 else greatest(1, ${lacking}) end as lacking
         from looked_at as object),
     placed as (
       select *, row_number() over (partition by lacking order by random()) as place from asked where lacking < 2)
     select id, attributes as "attributesJson", lacking from placed where place <= ${most} order by lacking, place`
  return await inScanTurn(db, environmentId, () =>
    db.queryUnprepared<Sampled>(text, [environmentId, ...parameters.values]),
  )
}
