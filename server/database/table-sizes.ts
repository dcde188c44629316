export interface TableSize {
  name: string
  bytes: number
  /** On a cluster: it has shards on a worker that does not answer, and they are not counted. */
  isPartial?: boolean
}

/** Our tables with what each of `relations` takes on the disk, indexes and partitions included, the largest first. */
const sizesOf = (relations: string) => `
  select coalesce(parent.relname, child.relname) as name, coalesce(sum(size), 0)::float8 as bytes,
         count(size) < count(*) as "isPartial"
    from (${relations}) as relation
    join pg_class as child on child.oid = relation.oid
    left join pg_inherits on inhrelid = child.oid
    left join pg_class as parent on parent.oid = inhparent
   where child.relnamespace = (select relnamespace from pg_class where oid = 'schema_migrations'::regclass)
   group by 1
   order by 2 desc, 1`

const PLAIN = sizesOf(`select oid, pg_total_relation_size(oid) as size from pg_class where relkind = 'r'`)

/**
 * The rows of a distributed table are in its shards. `citus_shard_sizes` asks each worker once, and leaves out one that is
 * unreachable: then a table has the size of its shards on the others.
 */
const SHARDED = sizesOf(`
  select oid, pg_total_relation_size(oid) as size from pg_class
   where relkind = 'r' and not exists (select from pg_dist_partition where logicalrelid = pg_class.oid)
  union all
  select logicalrelid::oid, shard.size from pg_dist_shard left join citus_shard_sizes() as shard on shard_id = shardid`)

/** The statement for the sizes of all tables. */
export function tableSizes(isDistributed: boolean): string {
  return isDistributed ? SHARDED : PLAIN
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** `1.4 GB` */
export function bytesText(bytes: number): string {
  let [amount, unit] = [bytes, 0]
  while (amount >= 1_000 && unit < UNITS.length - 1) [amount, unit] = [amount / 1_000, unit + 1]
  return `${amount.toFixed(unit === 0 || amount >= 100 ? 0 : 1)} ${UNITS[unit]}`
}
