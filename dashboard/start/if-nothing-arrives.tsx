import { Link } from '@tanstack/react-router'
import { useEnvironment, useSession } from '../session/use-session.ts'

export function IfNothingArrives() {
  const { environments } = useSession()
  const { slug } = useEnvironment()
  const other = environments.find((environment) => environment.slug !== slug)
  return (
    <aside className="help" aria-labelledby="if-nothing-arrives" id="help">
      <h2 className="h2" id="if-nothing-arrives">
        If nothing arrives
      </h2>
      <dl>
        <dt>Connection refused</dt>
        <dd>
          The server listens on 127.0.0.1 alone. Start it with <code>HOST</code> set, behind https.
        </dd>
        <dt>400 https_required</dt>
        <dd>The request came over plain http. Use the https address.</dd>
        <dt>401 invalid_api_key</dt>
        <dd>The key is of another environment, or was cut when it was copied.</dd>
        <dt>200, and still nothing here</dt>
        <dd>
          It went to another environment.{' '}
          {other && (
            <>
              Look at{' '}
              <Link className="link" to="/$environment" params={{ environment: other.slug }}>
                {other.name}
              </Link>
              .
            </>
          )}
        </dd>
      </dl>
    </aside>
  )
}
