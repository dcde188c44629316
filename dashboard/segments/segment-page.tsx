import { useQuery } from '@tanstack/react-query'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { crumbs } from './crumbs.ts'
import { segmentQuery } from './queries.ts'
import { SegmentDetail } from './segment-detail.tsx'
import { SegmentsPage } from './segments-page.tsx'

/** One segment: what uses it, its rule, and its members. */
export function SegmentPage({ id }: { id: string }) {
  const { slug } = useEnvironment()
  const query = useQuery(segmentQuery(slug, id))
  return (
    <>
      {!query.data && <Bar crumbs={crumbs(slug)} current="Segment" />}
      {query.data ? (
        <SegmentDetail key={query.data.id} segment={query.data} />
      ) : (
        <SegmentsPage>
          <Loaded query={query} what="The segment" skeleton={<SkeletonRows rows={6} columns={3} />}>
            {() => null}
          </Loaded>
        </SegmentsPage>
      )}
    </>
  )
}
