export interface TableSize {
  name: string
  bytes: number
}

/** What each table of ours takes on the disk, its indexes and partitions included, the largest first. */
export const TABLE_SIZES = `
  select coalesce(parent.relname, child.relname) as name, sum(pg_total_relation_size(child.oid))::float8 as bytes
    from pg_class as child
    left join pg_inherits on inhrelid = child.oid
    left join pg_class as parent on parent.oid = inhparent
   where child.relkind = 'r' and child.relnamespace = (select relnamespace from pg_class where oid = 'schema_migrations'::regclass)
   group by 1
   order by 2 desc, 1`

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** `1.4 GB` */
export function bytesText(bytes: number): string {
  let [amount, unit] = [bytes, 0]
  while (amount >= 1_000 && unit < UNITS.length - 1) [amount, unit] = [amount / 1_000, unit + 1]
  return `${amount.toFixed(unit === 0 || amount >= 100 ? 0 : 1)} ${UNITS[unit]}`
}
