import { memo, useState } from 'react'
import { counted } from '../format/number.ts'
import { clock, exact } from '../format/time.ts'
import { Absent } from '../parts/facts.tsx'
import { HttpStatus } from '../parts/http-status.tsx'
import { RowFocus } from '../parts/row-focus.ts'
import { moveInRows } from '../parts/row-keys.ts'
import { RowLink } from '../shell/row-link.tsx'
import type { LiveSearch } from './live-search.ts'
import type { LiveRequest } from './queries.ts'

const HEADS = ['Time', 'Status', 'Request', 'What', 'Key', 'ms']

/** At most 500 rows: all are rendered. */
export function FeedTable({ rows, search }: { rows: readonly LiveRequest[]; search: LiveSearch }) {
  const [focused, setFocused] = useState<string>()
  const stop = rows.some(({ id }) => id === focused) ? focused : rows[0]?.id
  return (
    <table aria-label="Requests">
      <thead>
        <tr>
          {HEADS.map((head) => (
            <th key={head} scope="col" className={head === 'ms' ? 'n' : `h-${head.toLowerCase()}`}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody onKeyDown={moveInRows}>
        {rows.map((row) => (
          <tr key={row.id} className={row.id === search.open ? 'sel' : 'fresh'} onFocus={() => setFocused(row.id)}>
            <RowFocus value={row.id === stop}>
              <Cells row={row} search={search} />
            </RowFocus>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A new row comes up to ten times a second, and the rows before it stay as they are. */
const Cells = memo(function Cells({ row, search }: { row: LiveRequest; search: LiveSearch }) {
  return (
    <>
      <td className="mono t2 f-time">
        <RowLink to="." search={{ ...search, open: row.id }} resetScroll={false}>
          <time dateTime={row.at} title={exact(new Date(row.at))}>
            {clock(new Date(row.at), 'milliseconds')}
          </time>
        </RowLink>
      </td>
      <td className="f-st">
        <HttpStatus code={row.status} />
      </td>
      <td className="mono f-req clip" dir="auto">
        <span className="meth">{row.method}</span> {row.url}
      </td>
      <td className="f-what clip" dir="auto">
        <What row={row} />
      </td>
      <td className="t2 f-key clip" dir="auto">
        {row.key_name ?? <Absent />}
      </td>
      <td className="n t2 f-ms">{Math.round(row.duration_ms)}</td>
    </>
  )
})

/** Of a refusal the field and the code; of the rest what it was about. */
function What({ row }: { row: LiveRequest }) {
  const [first, second] =
    row.status >= 300
      ? [row.field || row.code, row.field ? row.code : row.user_id]
      : [
          row.event_name ?? actOf(row),
          row.operations === null ? (row.user_id ?? row.group_id) : counted(row.operations, 'operation'),
        ]
  return (
    <>
      <span className="mono">{first ?? '–'}</span> <span className="mono t3">{second}</span>
      {row.is_replay && <span className="t3"> repeated</span>}
    </>
  )
}

/** upsertUser is shown as upsert. */
const actOf = ({ operation }: LiveRequest) =>
  operation === 'runBatch' ? 'batch' : (operation?.replace(/[A-Z].*$/, '') ?? null)
