import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { count } from '../format/number.ts'
import { Pairs } from '../objects/pairs.tsx'
import { TypeGlyph } from '../objects/type-glyph.tsx'
import { Chart } from '../parts/chart.tsx'
import { Page } from '../parts/page.tsx'
import { Panel, Section } from '../parts/panel.tsx'
import { Bone } from '../parts/skeleton.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { changeEventDefinition } from './changes.ts'
import { DefinitionHead } from './definition-head.tsx'
import { eventDefinitionQuery } from './queries.ts'

export function EventPage({ definitionId }: { definitionId: string }) {
  const { slug } = useEnvironment()
  const query = useQuery(eventDefinitionQuery(slug, definitionId))
  const reason = useReason('updateEventDefinition')
  const params = { environment: slug }
  const definition = query.data?.definition
  return (
    <>
      <Bar
        crumbs={[{ label: 'Events', link: { to: '/$environment/events', params } }]}
        current={definition?.name ?? 'Event'}
      />
      <Page
        title={definition?.display_name ?? 'Event'}
        sub={
          definition && (
            <p className="mono" dir="auto">
              {definition.name}
            </p>
          )
        }
      >
        <Loaded query={query} what="The event" skeleton={<Bone width="100%" height={240} />}>
          {({ definition, attributes, events }) => (
            <>
              <DefinitionHead
                definition={definition}
                reason={reason}
                save={(edit) => changeEventDefinition(slug, definition.id, edit)}
              />
              <Panel
                title="Events per day"
                end={`${count(definition.total_14_days)} in 14 days, ${count(definition.received)} received in all`}
              >
                <Chart
                  kind="bars"
                  height={148}
                  series={definition.days}
                  unit="events"
                  label={`Bar chart of ${definition.name} per day: ${definition.total_14_days} in 14 days.`}
                />
              </Panel>
              <div className="grid g-user mt-24">
                <Section title="Attributes seen" count={attributes.length}>
                  <ul className="kv">
                    {attributes.map((attribute) => (
                      <li key={attribute.id}>
                        <TypeGlyph type={attribute.data_type} />
                        <Link
                          className="k mono clip in-row-link"
                          to="/$environment/attributes/$definitionId"
                          params={{ ...params, definitionId: attribute.id }}
                          dir="auto"
                        >
                          {attribute.name}
                        </Link>
                        <span className="v clip t2" dir="auto">
                          {attribute.description || attribute.display_name}
                        </span>
                        <span className="since">
                          {attribute.last_seen_at && <Time at={attribute.last_seen_at} as="activity" plain />}
                        </span>
                      </li>
                    ))}
                    {attributes.length === 0 && <li className="none t3">It came without attributes so far.</li>}
                  </ul>
                </Section>
                <Section title="Newest" count={events.length}>
                  <ul className="kv">
                    {events.map((event) => (
                      <li key={event.id} className="newest">
                        <span className="clip">
                          {event.user_id ? (
                            <Link
                              className="link mono"
                              to="/$environment/users/$userId"
                              params={{ ...params, userId: event.user_id }}
                              search={{ open: event.id }}
                            >
                              {event.user_id}
                            </Link>
                          ) : (
                            <Link
                              className="link mono"
                              to="/$environment/groups/$groupId"
                              params={{ ...params, groupId: event.group_id ?? '' }}
                              search={{ open: event.id }}
                            >
                              {event.group_id}
                            </Link>
                          )}
                        </span>
                        <span className="v clip t2" dir="auto">
                          <Pairs attributes={event.attributes} />
                        </span>
                        <span className="since">
                          <Time at={event.time} as="seconds" plain />
                        </span>
                      </li>
                    ))}
                    {events.length === 0 && <li className="none t3">No event is stored any more.</li>}
                  </ul>
                </Section>
              </div>
            </>
          )}
        </Loaded>
      </Page>
    </>
  )
}
