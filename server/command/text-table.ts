/** Rows of text as lines with aligned columns. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, index) =>
    Math.max(...rows.map((row) => [...(row[index] ?? '')].length)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, index) => pad(cell, widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function pad(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - [...cell].length))
}

/** A list as text: a heading for each column, or a sentence when the list is empty. */
export function textTable<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => string | number | null>>,
  none: string,
): string {
  if (rows.length === 0) return none
  const cells = rows.map((row) => Object.values(columns).map((read) => String(read(row) ?? '–')))
  return alignColumns([Object.keys(columns).map((heading) => heading.toUpperCase()), ...cells])
}
