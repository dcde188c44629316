import type { EnvironmentId, Queryable } from '../database/database.ts'

/** Of two workers, one of so many ids is on the emptier one in all but one of 65,536 cases. */
const DRAWN = 16

/**
 * The id for a new environment of a cluster. Citus places an environment by a hash of its id, and of the ids 1 to 12 ten were
 * on one of two workers. So several ids are drawn, and the one on the worker with the fewest environments is used.
 */
export async function drawEvenId(db: Queryable): Promise<EnvironmentId | undefined> {
  const [row] = await db.query<{ id: EnvironmentId }>(
    `with held as (
          select groupid, count(*) as environments
            from environments
            join pg_dist_placement
              on shardid = get_shard_id_for_distribution_column('environment_anchors', environments.id)
           where deleted_at is null
           group by groupid),
        drawn as materialized (
          select nextval(pg_get_serial_sequence('environments', 'id'))::int as id
            from generate_series(1, ${DRAWN}))
     select drawn.id
       from drawn
       join pg_dist_placement as placement
         on placement.shardid = get_shard_id_for_distribution_column('environment_anchors', drawn.id)
       left join held using (groupid)
      order by coalesce(held.environments, 0), drawn.id
      limit 1`,
    [],
  )
  return row?.id
}
