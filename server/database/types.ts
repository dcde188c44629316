import pg from 'pg'

/**
 * How values of PostgreSQL are read. jsonb stays text: most rows are sent without a change, and parsing would cost more than
 * everything else about them.
 */
export const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.JSONB) return (text: string) => text
    if (oid === pg.types.builtins.TIMESTAMPTZ) return isoFromPostgres
    if (oid === pg.types.builtins.INT8) return Number
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text')
  },
}

/** `2026-01-03 09:30:00.1+00` → `2026-01-03T09:30:00.100Z`; the session's time zone is UTC. */
function isoFromPostgres(text: string): string {
  const fraction =
    text.length > 22
      ? text
          .slice(20, text.length - 3)
          .padEnd(3, '0')
          .slice(0, 3)
      : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}
