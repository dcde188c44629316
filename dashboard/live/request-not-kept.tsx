import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../api.ts'
import { Empty } from '../parts/blank.tsx'
import { CopyId } from '../parts/copy.tsx'
import { Facts } from '../parts/facts.tsx'
import { HttpStatus } from '../parts/http-status.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { type RequestError, requestErrorsQuery } from './queries.ts'
import { Problem } from './request-detail.tsx'

export const isNotFound = (error: Error | null): boolean => error instanceof ApiError && error.status === 404

/** A request that no node has in its memory. Of the example of an error, the reason is stored for 24 hours. */
export function RequestNotKept({ requestId }: { requestId: string }) {
  const { slug } = useEnvironment()
  const { data } = useQuery(requestErrorsQuery(slug))
  const example = data?.data.find(({ last_request_id }) => last_request_id === requestId)
  if (example) return <Example error={example} />
  return (
    <Empty title="This request is not in memory">
      The newest requests of this environment are kept in memory. <span className="mono">{requestId}</span> is older, of
      another environment, or was never received.
    </Empty>
  )
}

function Example({ error }: { error: RequestError }) {
  return (
    <>
      <Problem request={error} />
      <Facts>
        {[
          ['Request-Id', <CopyId key="id" value={error.last_request_id} />],
          ['Time', <Time key="time" at={error.last_at} as="milliseconds" />],
          ['Status', <HttpStatus key="status" code={error.status} />],
          [
            'Code',
            <span key="code" className="mono">
              {error.code}
            </span>,
          ],
        ]}
      </Facts>
      <p className="note">The request and its answer are no longer in memory. Send it again to see them here.</p>
    </>
  )
}
