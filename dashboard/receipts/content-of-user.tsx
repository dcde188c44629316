import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Empty } from '../parts/blank.tsx'
import { buttonClass } from '../parts/button.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { State } from '../parts/state.tsx'
import { Table, type TableColumn } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { useAddress } from '../shell/use-address.ts'
import { Ladder } from './ladder.tsx'
import { contentOfUserQuery, type ContentOfUser as Row } from './queries.ts'
import '../styles/studio.css'
import '../styles/receipt.css'

const STATES = {
  open: { tone: 'info', shape: 'half', label: 'Open now' },
  next: { tone: 'info', shape: 'ring', label: 'Will see' },
  seen: { tone: 'mute', shape: 'full', label: 'Seen' },
  hidden: { tone: 'mute', shape: 'cross', label: 'Will not see' },
} as const

/** What a user has open, will see, has seen, and will not see, each with the one reason. */
export function ContentOfUser({ userId }: { userId: string }) {
  const { slug } = useEnvironment()
  const query = useQuery(contentOfUserQuery(slug, userId))
  const [search] = useAddress<{ open?: string | undefined }>()
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
  if (rows.length === 0)
    return <Empty title="No content is published">What is published shows here, with why they see it or not.</Empty>
  const next = rows.find(({ state }) => state === 'next')
  return (
    <div className="g-prof">
      <div className="min-w-0">
        <p className="t2">{next ? `Next comes ${next.content.name}.` : 'Nothing comes next.'}</p>
        <Table
          label="Content"
          rows={rows}
          columns={columnsOf(environment, userId)}
          keyOf={({ content }) => content.id}
        />
      </div>
      {chosen && (
        <aside className="rec-side" aria-label={chosen.content.name}>
          <div className="sec">
            <h2 className="h2 clip">{chosen.content.name}</h2>
            <span className="end">
              <Link
                className={buttonClass('plain', true)}
                to="/$environment/content/$contentId/receipts/$userId"
                params={{ environment, contentId: chosen.content.id, userId }}
              >
                Open the receipt
              </Link>
            </span>
          </div>
          <p className="t2">{chosen.sentence}.</p>
          <Ladder gates={chosen.gates} isSmall />
        </aside>
      )}
    </div>
  )
}

const columnsOf = (environment: string, userId: string): TableColumn<Row>[] => [
  {
    id: 'name',
    head: 'Content',
    cell: ({ content }) => (
      <Link to="/$environment/users/$userId/content" params={{ environment, userId }} search={{ open: content.id }}>
        <b dir="auto">{content.name}</b>
      </Link>
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
    cell: ({ sentence }) => <span dir="auto">{sentence.replace(/^Not shown: /, '')}</span>,
  },
  { id: 'when', head: 'When', align: 'end', cell: ({ when }) => (when ? <Time at={when} plain /> : '') },
]
