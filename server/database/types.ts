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

const DASH = 45

/** `2026-01-03 09:30:00.1+00` → `2026-01-03T09:30:00.100Z`; the session's time zone is UTC. */
function isoFromPostgres(text: string): string {
  // The offset of an event can carry its time out of the years that have four digits.
  if (text.charCodeAt(4) !== DASH || text.endsWith(BEFORE_CHRIST)) return isoOfFarYear(text)
  const fraction =
    text.length > 22
      ? text
          .slice(20, text.length - 3)
          .padEnd(3, '0')
          .slice(0, 3)
      : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}

const BEFORE_CHRIST = ' BC'

/** `10000-01-01 23:58:59+00` → `+010000-01-01T23:58:59.000Z`, `0002-12-31 00:01:00+00 BC` → `-000001-12-31T00:01:00.000Z`. */
function isoOfFarYear(text: string): string {
  const isBefore = text.endsWith(BEFORE_CHRIST)
  const end = text.indexOf('-')
  // There is no year 0 in PostgreSQL: 1 BC is the year 0 of ISO 8601.
  const year = isBefore ? 1 - Number(text.slice(0, end)) : Number(text.slice(0, end))
  const sign = year < 0 ? '-' : '+'
  const shown =
    year >= 0 && year <= 9999 ? String(year).padStart(4, '0') : sign + String(Math.abs(year)).padStart(6, '0')
  const rest = isoFromPostgres(`2000${isBefore ? text.slice(end, -BEFORE_CHRIST.length) : text.slice(end)}`)
  return shown + rest.slice(4)
}
