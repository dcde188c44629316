import { useInfiniteQuery } from '@tanstack/react-query'
import { Empty } from '../parts/blank.tsx'
import { ListEnd } from '../parts/list-end.tsx'
import { Section } from '../parts/panel.tsx'
import { Segments } from '../parts/segments.tsx'
import { Bone } from '../parts/skeleton.tsx'
import { Timeline } from '../parts/timeline.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { type Collection, type Shown, timelineQuery } from './queries.ts'
import { pointsOf } from './timeline-points.tsx'

type Props = {
  kind: Collection
  id: string
  show: Shown
  onShow: (show: Shown) => void
  onOpen: (eventId: string) => void
}

const VIEWS = [
  { value: 'all', label: 'All' },
  { value: 'events', label: 'Events' },
  { value: 'webhooks', label: 'Webhooks' },
] as const

export function TimelineSection({ kind, id, show, onShow, onOpen }: Props) {
  const { slug } = useEnvironment()
  const list = useInfiniteQuery(timelineQuery(kind, slug, id, show))
  const items = list.data?.pages.flatMap((page) => page.data) ?? []
  const points = pointsOf(slug, items, onOpen)
  return (
    <Section title="Timeline" end={<Segments label="Shown" options={[...VIEWS]} value={show} onChange={onShow} />}>
      <Loaded query={list} what="The timeline" skeleton={<TimelineSkeleton />}>
        {() =>
          items.length === 0 ? (
            <Empty title="Nothing yet">Events and the webhooks that they cause appear here.</Empty>
          ) : (
            <>
              <Timeline points={points} />
              <ListEnd shown={points.length} list={list} />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

const TimelineSkeleton = () => (
  <div className="tl-skeleton">
    {[140, 180, 120, 160].map((width) => (
      <Bone key={width} width={width} />
    ))}
  </div>
)
