import { count, percent } from '../format/number.ts'
import { LEAST_RUNS } from '../format/shares.ts'
import { Absent } from '../parts/facts.tsx'
import { Spark } from '../parts/spark.tsx'
import type { TableColumn } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { RowLink } from '../shell/row-link.tsx'
import { missedRow } from '../targets/missed-words.ts'
import { ContentStateLabel, KindGlyph, shownState } from './kinds.tsx'
import type { ContentRow } from './queries.ts'

export const contentColumns = (environment: string, isOff: boolean): TableColumn<ContentRow>[] => [
  {
    id: 'name',
    head: 'Name',
    cell: ({ id, type, name, size, missed }) => (
      <span className="nm">
        <KindGlyph icon={type} />
        <span className="clip">
          <RowLink to="/$environment/content/$contentId/steps" params={{ environment, contentId: id }}>
            <b className="clip" dir="auto">
              {name || 'Without a name'}
            </b>
          </RowLink>
          <small className="clip">
            {size}
            {missed && <span className="bad-t"> · {missedRow(missed)}</span>}
          </small>
        </span>
      </span>
    ),
  },
  {
    id: 'state',
    head: 'State',
    cell: ({ state }) => <ContentStateLabel state={shownState(state, isOff)} />,
  },
  {
    id: 'who',
    head: 'Who',
    cell: ({ who }) => (
      <span className="clip rule" title={who} dir="auto">
        {who}
      </span>
    ),
  },
  { id: 'seen', head: 'Seen by', align: 'end', cell: ({ seen }) => (seen === null ? <Absent /> : count(seen)) },
  {
    id: 'completed',
    head: 'Completed',
    align: 'end',
    wide: true,
    cell: ({ seen, completed }) =>
      completed === null || !seen ? (
        <Absent />
      ) : seen < LEAST_RUNS ? (
        `${count(completed)} of ${count(seen)}`
      ) : (
        <span className="pct">
          <span className="meter" aria-hidden="true">
            <i style={{ width: `${(100 * completed) / seen}%` }} />
          </span>
          <span>{percent(completed, seen)}</span>
        </span>
      ),
  },
  {
    id: 'days',
    head: '14 days',
    wide: true,
    cell: ({ days, seen }) => (seen === null ? <Absent /> : <Spark values={days} />),
  },
  {
    id: 'edited_at',
    head: 'Last change',
    align: 'end',
    cell: ({ edited_at }) => <Time plain as="activity" at={edited_at} />,
  },
]
