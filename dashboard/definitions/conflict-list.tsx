import { Link } from '@tanstack/react-router'
import { count } from '../format/number.ts'
import { TypeGlyph } from '../objects/type-glyph.tsx'
import { Icon } from '../parts/icon.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import type { AttributeDefinition } from './queries.ts'

type Conflict = {
  data_type: string
  count: number
  example: string | number | boolean
  object_id: string | null
  request_id: string | null
  at: string
}

/** An example of each type that is not the defined one. */
export function ConflictList({ definition, conflicts }: { definition: AttributeDefinition; conflicts: Conflict[] }) {
  return (
    <section className="why" aria-label="Type conflicts">
      <Icon name="alert" />
      <div>
        <h2>
          {definition.name} is {article(definition.data_type)}, and came as something else.
        </h2>
        <p>Both are stored as they were sent. Send one type, so that filters and sorting find all of them.</p>
        <ul className="conflicts">
          {conflicts.map((conflict) => (
            <li key={conflict.data_type}>
              <TypeGlyph type={conflict.data_type} />
              <code className="clip" dir="auto">
                {JSON.stringify(conflict.example)}
              </code>
              <span className="t2">
                {conflict.data_type}, {count(conflict.count)} {conflict.count === 1 ? 'time' : 'times'}, last{' '}
                <Time at={conflict.at} as="activity" plain />
                {conflict.object_id && (
                  <>
                    , on <ObjectLink scope={definition.scope} id={conflict.object_id} />
                  </>
                )}
                {conflict.request_id && (
                  <>
                    , in <RequestLink id={conflict.request_id} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

const article = (type: string) => `a ${type}`

/** Live finds the request by its id, while a node remembers it. */
function RequestLink({ id }: { id: string }) {
  const { slug } = useEnvironment()
  return (
    <Link className="link mono" to="/$environment/requests/$requestId" params={{ environment: slug, requestId: id }}>
      {id}
    </Link>
  )
}

function ObjectLink({ scope, id }: { scope: AttributeDefinition['scope']; id: string }) {
  const { slug } = useEnvironment()
  if (scope === 'group')
    return (
      <Link className="link mono" to="/$environment/groups/$groupId" params={{ environment: slug, groupId: id }}>
        {id}
      </Link>
    )
  return (
    <Link className="link mono" to="/$environment/users/$userId" params={{ environment: slug, userId: id }}>
      {id}
    </Link>
  )
}
