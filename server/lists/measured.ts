/** A page of the dashboard ends with the row with which its attributes have so many bytes, and the next one continues. */
export const PAGE_BYTES = 4 * 1024 * 1024

/**
 * The bytes of a jsonb. One that is not compressed tells its size without being read. One that is can be a hundred times as
 * long: joined with an empty object it is decompressed, and not written as text.
 */
export function bytesOf(expression: string): string {
  return `case when pg_column_compression(${expression}) is null
               then pg_column_size(${expression}) else pg_column_size(${expression} || '{}') end`
}

/**
 * The rows of `page`, which has a jsonb `attributes` and a limit, up to the one with which these have `PAGE_BYTES`. `found`
 * is how many rows there are without this end.
 */
export function withinBytes(columns: string, page: string, order: string): string {
  return `
    select ${columns}, found
      from (select *, count(*) over ()::int as found,
                   sum(own_bytes) over (order by ${order} rows unbounded preceding) - own_bytes as bytes_before
              from (select *, ${bytesOf('attributes')} as own_bytes from (${page}) as page) as measured) as counted
     where bytes_before < ${PAGE_BYTES}
     order by ${order}`
}
