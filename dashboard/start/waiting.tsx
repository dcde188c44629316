import { Link } from '@tanstack/react-router'
import type { LiveRequest } from '../live/queries.ts'
import { messageOf } from '../live/reasons.ts'
import { useLive } from '../live/stream.ts'
import { HttpStatus } from '../parts/http-status.tsx'
import { Icon } from '../parts/icon.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'

type Props = { path: '/users' | '/events'; received: boolean }

/** Waits for the first request by the live stream. A request that was rejected shows its error here. */
export function Waiting({ path, received }: Props) {
  const { slug } = useEnvironment()
  const { rows } = useLive(slug)
  const latest = rows.find((row) => row.method === 'POST' && row.url.split('?')[0] === path)
  if (latest && latest.status < 300) return <Received request={latest} environment={slug} />
  if (received) {
    return (
      <p className="wait got" role="status">
        <Icon name="check" />
        Received.
      </p>
    )
  }
  const rejected = latest ?? rows.find((row) => row.status >= 400)
  return (
    <div className="wait" role="status">
      <span className="live-dot" aria-hidden="true" />
      {rejected ? <Rejected request={rejected} environment={slug} /> : 'Waiting for the first request…'}
      {!rejected && (
        <a className="end link" href="#help">
          It does not arrive?
        </a>
      )}
    </div>
  )
}

function Received({ request, environment }: { request: LiveRequest; environment: string }) {
  return (
    <div className="wait got" role="status">
      <Icon name="check" />
      <span>
        Received{' '}
        <span className="mono">
          {request.method} {request.url.split('?')[0]}
        </span>{' '}
        <span className="t2 num">
          at <Time at={request.at} as="clock" plain />
        </span>
      </span>
      {request.user_id && (
        <Link className="end link" to="/$environment/users/$userId" params={{ environment, userId: request.user_id }}>
          Open {request.user_id}
        </Link>
      )}
    </div>
  )
}

function Rejected({ request, environment }: { request: LiveRequest; environment: string }) {
  return (
    <>
      <span>
        A request came and was rejected: <HttpStatus code={request.status} />{' '}
        <span className="mono">{request.field || request.code}</span> {messageOf(request)}
      </span>
      <Link className="end link" to="/$environment/live" params={{ environment }} search={{ open: request.id }}>
        Open it
      </Link>
    </>
  )
}
