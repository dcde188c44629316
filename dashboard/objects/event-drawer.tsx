import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api.ts'
import { CodeBox } from '../parts/code-box.tsx'
import { CopyId } from '../parts/copy.tsx'
import { Drawer } from '../parts/drawer.tsx'
import { Facts } from '../parts/facts.tsx'
import { Json } from '../parts/json.tsx'
import { Bone } from '../parts/skeleton.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { subjectFacts } from './subject-facts.tsx'

const eventQuery = (environment: string, event_id: string) =>
  queryOptions({
    queryKey: [environment, 'events', event_id],
    queryFn: ({ signal }) => call('getEvent', { environment, event_id }, signal),
  })

export function EventDrawer({ eventId, onClose }: { eventId: string; onClose: () => void }) {
  const { slug } = useEnvironment()
  const query = useQuery(eventQuery(slug, eventId))
  return (
    <Drawer
      label="Event"
      title={
        <span className="mono clip" dir="auto">
          {query.data?.name ?? 'Event'}
        </span>
      }
      onClose={onClose}
    >
      <Loaded query={query} what="The event" skeleton={<Bone width="80%" />}>
        {(event) => {
          const text = JSON.stringify(event.attributes, null, 2)
          const facts: [string, React.ReactNode][] = [
            ['Id', <CopyId key="id" value={event.id} />],
            ['Happened', <Time key="time" at={event.time} as="milliseconds" />],
            ['Stored', <Time key="stored" at={event.created_at} as="milliseconds" />],
            ...subjectFacts(slug, event),
          ]
          return (
            <>
              <Facts>{facts}</Facts>
              <CodeBox title="Attributes" copy={{ value: text, label: 'Copy the attributes' }}>
                <Json text={text} />
              </CodeBox>
            </>
          )
        }}
      </Loaded>
    </Drawer>
  )
}
