import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { KindGlyph } from '../content/kinds.tsx'
import { Empty, FailedPart } from '../parts/blank.tsx'
import { buttonClass } from '../parts/button.tsx'
import { Absent } from '../parts/facts.tsx'
import { Segments } from '../parts/segments.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { State } from '../parts/state.tsx'
import { Table, type TableColumn } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { useAddress } from '../shell/use-address.ts'
import type { ContentOfUserSearch, UserState } from './content-of-user-search.ts'
import { readable, toldWords } from './gates.ts'
import { Ladder } from './ladder.tsx'
import { contentOfUserQuery, type ContentOfUser as Row, receiptQuery } from './queries.ts'
import { IN_IT } from './run-words.ts'
import { Runs } from './runs.tsx'
import { ShowAgain } from './show-again.tsx'
import '../styles/studio.css'
import '../styles/receipt.css'

const STATES = {
  open: { tone: 'info', shape: 'half', label: 'Open now' },
  next: { tone: 'info', shape: 'ring', label: 'Will see' },
  seen: { tone: 'mute', shape: 'full', label: 'Seen' },
  hidden: { tone: 'mute', shape: 'cross', label: 'Will not see' },
} as const

const FILTERS: { value: UserState | 'all'; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'seen', label: 'Seen' },
  { value: 'next', label: 'Will see' },
  { value: 'hidden', label: 'Will not see' },
]

/** What a user has open, will see, has seen, and will not see, each with the one reason. */
export function ContentOfUser({ userId }: { userId: string }) {
  const { slug } = useEnvironment()
  const query = useQuery(contentOfUserQuery(slug, userId))
  const [search] = useAddress<ContentOfUserSearch>()
  return (
    <Loaded query={query} what="The content" skeleton={<SkeletonRows rows={6} columns={4} />}>
      {({ data }) => (
        <ContentTable userId={userId} rows={data} chosen={data.find(({ content }) => content.id === search.open)} />
      )}
    </Loaded>
  )
}

function ContentTable({ userId, rows, chosen }: { userId: string; rows: Row[]; chosen: Row | undefined }) {
  const { slug: environment } = useEnvironment()
  const [search, setSearch] = useAddress<ContentOfUserSearch>()
  const columns = useMemo(() => columnsOf(environment, userId, search.show), [environment, userId, search.show])
  if (rows.length === 0)
    return <Empty title="No content is published">What is published shows here, with why they see it or not.</Empty>
  const next = rows.find(({ state }) => state === 'next')
  const shown = search.show ? rows.filter(({ state }) => state === search.show) : rows
  return (
    <div className="g-prof">
      <div className="min-w-0">
        <div className="prof-bar">
          <p className="t2">{next ? `Next comes ${next.content.name}.` : 'Nothing comes next.'}</p>
          <Segments
            label="Show"
            options={FILTERS}
            value={search.show ?? 'all'}
            onChange={(show) => setSearch({ ...search, show: show === 'all' ? undefined : show })}
          />
        </div>
        <Table
          label="Content"
          rows={shown}
          columns={columns}
          keyOf={({ content }) => content.id}
          open={chosen?.content.id}
        />
        {shown.length === 0 && <p className="t2 none">Nothing is in this state for them.</p>}
      </div>
      {chosen && <Chosen userId={userId} row={chosen} />}
    </div>
  )
}

/** The gates of one content, small, and the runs of the past. */
function Chosen({ userId, row }: { userId: string; row: Row }) {
  const { content, state, gates } = row
  const { slug: environment } = useEnvironment()
  const query = useQuery(receiptQuery(environment, content.id, userId))
  const receipt = query.data
  return (
    <aside className="rec-side" aria-label={content.name}>
      <div className="sec">
        <h2 className="h2 clip">{content.name}</h2>
        <span className="end">
          <Link
            className={buttonClass('plain', true)}
            to="/$environment/content/$contentId/receipts/$userId"
            params={{ environment, contentId: content.id, userId }}
          >
            Open the receipt
          </Link>
        </span>
      </div>
      <p className="t2">{`${state === 'open' ? IN_IT : toldWords(row.sentence)}.`}</p>
      <Ladder gates={gates} isSmall />
      {query.error && !receipt && (
        <FailedPart
          what="What was shown before"
          error={query.error}
          isAsking={query.isFetching}
          onRetry={query.refetch}
        />
      )}
      {receipt && receipt.runs.length > 0 && (
        <>
          <div className="sec">
            <h2 className="h2">Shown before</h2>
            {state !== 'open' && (
              <span className="end">
                <ShowAgain isSmall content={content} user={receipt.user} />
              </span>
            )}
          </div>
          <Runs runs={receipt.runs} />
        </>
      )}
    </aside>
  )
}

const columnsOf = (environment: string, userId: string, show: UserState | undefined): TableColumn<Row>[] => [
  {
    id: 'name',
    head: 'Content',
    cell: ({ content }) => (
      <span className="nm">
        <KindGlyph icon={content.type} />
        <Link
          to="/$environment/users/$userId/content"
          params={{ environment, userId }}
          search={{ open: content.id, show }}
        >
          <b dir="auto">{content.name}</b>
        </Link>
      </span>
    ),
  },
  {
    id: 'state',
    head: 'For them',
    cell: ({ state }) => (
      <State tone={STATES[state].tone} shape={STATES[state].shape}>
        {STATES[state].label}
      </State>
    ),
  },
  {
    id: 'because',
    head: 'Because',
    cell: (row) => <span dir="auto">{because(row)}</span>,
  },
  { id: 'when', head: 'When', align: 'end', cell: ({ when }) => (when ? <Time at={when} plain /> : <Absent />) },
]

/** Where content is shown, the page decides: the server knows of the user only. */
const NEXT = 'on their next page that fits'

function because({ state, sentence }: Row): string {
  if (state === 'next') return NEXT
  return state === 'open' ? IN_IT.toLowerCase() : readable(sentence.replace(/^Not shown: /, ''))
}
