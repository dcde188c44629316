import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { count } from '../format/number.ts'
import { Empty } from '../parts/blank.tsx'
import { buttonClass } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { type Segment, segmentCountsQuery, segmentsQuery } from './queries.ts'
import '../styles/segments.css'

/** The list, and beside it the chosen one. On a phone they are two pages. */
export function SegmentsPage({ children }: { children?: ReactNode }) {
  const { slug } = useEnvironment()
  const query = useQuery(segmentsQuery(slug))
  const none = query.data?.data.length === 0
  return (
    <>
      {!children && <Bar current="Segments" />}
      <div className={children ? 'g-seg chosen' : 'g-seg'}>
        <div className="seg-list">
          <div className="head">
            <h1 className="title">Segments</h1>
            <span className="end">{!none && <NewSegment small />}</span>
          </div>
          <Loaded query={query} what="The list" skeleton={<SkeletonRows rows={6} columns={2} />}>
            {({ data }) => <SegmentList segments={data} />}
          </Loaded>
        </div>
        <div className="seg-main">{children ?? <Nothing none={none} />}</div>
      </div>
    </>
  )
}

function SegmentList({ segments }: { segments: Segment[] }) {
  const { slug: environment } = useEnvironment()
  const counts = useQuery(
    segmentCountsQuery(
      environment,
      segments.map(({ key }) => key),
    ),
  )
  const members = (key: string) => {
    const found = counts.data?.get(key)
    return found === undefined ? '' : count(found)
  }
  return (
    <ul>
      {segments.map(({ id, key, name, sentence }) => (
        <li key={id}>
          <Link
            to="/$environment/segments/$segmentId"
            params={{ environment, segmentId: id }}
            activeOptions={{ includeSearch: false }}
          >
            <b className="clip" dir="auto">
              {name}
            </b>
            <span className="n">{members(key)}</span>
            <small className="clip" dir="auto">
              {sentence}
            </small>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function NewSegment({ small = false }: { small?: boolean }) {
  const { slug: environment } = useEnvironment()
  const reason = useReason('createSegment')
  if (reason) return <span className="t3 s12">{reason}</span>
  return (
    <Link
      className={buttonClass(small ? 'plain' : 'primary', small)}
      to="/$environment/segments/new"
      params={{ environment }}
    >
      <Icon name="plus" />
      {small ? 'New' : 'New segment'}
    </Link>
  )
}

function Nothing({ none }: { none: boolean }) {
  if (!none) return <p className="t2">Choose a segment to see its rule and its members.</p>
  return (
    <Empty title="No segments yet" action={<NewSegment />}>
      A segment is a rule with a name: whoever fits is in it, from that moment on. Content and other segments use it.
    </Empty>
  )
}
