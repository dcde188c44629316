import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { count } from '../format/number.ts'
import { TypeGlyph } from '../objects/type-glyph.tsx'
import { buttonClass } from '../parts/button.tsx'
import { Chart } from '../parts/chart.tsx'
import { Icon } from '../parts/icon.tsx'
import { Page } from '../parts/page.tsx'
import { Panel, Section } from '../parts/panel.tsx'
import { Bone } from '../parts/skeleton.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { changeAttributeDefinition } from './changes.ts'
import { ConflictList } from './conflict-list.tsx'
import { DefinitionHead } from './definition-head.tsx'
import { PageAccess } from './page-access.tsx'
import { type AttributeDefinition, attributeDefinitionQuery } from './queries.ts'
import { SCOPE_WORDS } from './scopes.ts'

export function AttributePage({ definitionId }: { definitionId: string }) {
  const { slug } = useEnvironment()
  const query = useQuery(attributeDefinitionQuery(slug, definitionId))
  const reason = useReason('updateAttributeDefinition')
  const params = { environment: slug }
  const definition = query.data?.definition
  return (
    <>
      <Bar
        crumbs={[{ label: 'Attributes', link: { to: '/$environment/attributes', params } }]}
        current={definition?.name ?? 'Attribute'}
      />
      <Page
        title={definition?.display_name ?? 'Attribute'}
        sub={
          definition && (
            <p className="yes">
              <TypeGlyph type={definition.data_type} />
              <span className="mono" dir="auto">
                {definition.name}
              </span>
              <span>of {SCOPE_WORDS[definition.scope]}s</span>
            </p>
          )
        }
        end={definition && <OwnersLink definition={definition} />}
      >
        <Loaded query={query} what="The attribute" skeleton={<Bone width="100%" height={240} />}>
          {({ definition, conflicts, events }) => (
            <>
              <DefinitionHead
                definition={definition}
                reason={reason}
                save={(edit) => changeAttributeDefinition(slug, definition.id, edit)}
              />
              {definition.scope !== 'event' && <PageAccess definition={definition} />}
              {conflicts.length > 0 && <ConflictList definition={definition} conflicts={conflicts} />}
              <Panel title="Values received per day" end="Last 14 days">
                <Chart
                  kind="bars"
                  height={148}
                  series={definition.days}
                  unit="values"
                  label={`Bar chart of values of ${definition.name} received per day, the last 14 days.`}
                />
              </Panel>
              {definition.scope === 'event' && (
                <Section title="Seen on" count={count(events.length)}>
                  <ul className="kv">
                    {events.map((event) => (
                      <li key={event.id} className="newest">
                        <Link
                          className="mono clip in-row-link"
                          to="/$environment/events/$definitionId"
                          params={{ ...params, definitionId: event.id }}
                          dir="auto"
                        >
                          {event.name}
                        </Link>
                        <span className="v clip t2" dir="auto">
                          {event.description || event.display_name}
                        </span>
                        <span className="since">
                          {event.last_seen_at && <Time at={event.last_seen_at} as="activity" plain />}
                        </span>
                      </li>
                    ))}
                    {events.length === 0 && <li className="none t3">On no event since this is counted.</li>}
                  </ul>
                </Section>
              )}
            </>
          )}
        </Loaded>
      </Page>
    </>
  )
}

/** The users or groups that have the attribute. */
function OwnersLink({ definition: { scope, name } }: { definition: AttributeDefinition }) {
  const { slug } = useEnvironment()
  const params = { environment: slug }
  const leaf = { attribute: name, ...(scope === 'group' ? { of: 'group' } : {}), is: 'exists' }
  const search = { condition: JSON.stringify({ all: [leaf] }), columns: name }
  if (scope === 'user')
    return (
      <Link className={buttonClass()} to="/$environment/users" params={params} search={search}>
        <Icon name="users" />
        Users that have it
      </Link>
    )
  if (scope === 'group')
    return (
      <Link className={buttonClass()} to="/$environment/groups" params={params} search={search}>
        <Icon name="groups" />
        Groups that have it
      </Link>
    )
  return null
}
