import { useQuery } from '@tanstack/react-query'
import { HttpStatus } from '../parts/http-status.tsx'
import { Page } from '../parts/page.tsx'
import { Bone } from '../parts/skeleton.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { requestQuery } from './queries.ts'
import { RequestDetail } from './request-detail.tsx'
import { isNotFound, RequestNotKept } from './request-not-kept.tsx'

export function RequestPage({ requestId }: { requestId: string }) {
  const { slug } = useEnvironment()
  const query = useQuery(requestQuery(slug, requestId))
  const { data } = query
  return (
    <>
      <Bar
        crumbs={[{ label: 'Live', link: { to: '/$environment/live', params: { environment: slug } } }]}
        current="Request"
      />
      <Page
        title={<span className="mono-title">{data ? `${data.method} ${data.url}` : 'Request'}</span>}
        badge={data && <HttpStatus code={data.status} />}
      >
        {isNotFound(query.error) ? (
          <RequestNotKept requestId={requestId} />
        ) : (
          <Loaded query={query} what="The request" skeleton={<Bone width="60%" />}>
            {(request) => (
              <div className="stack">
                <RequestDetail request={request} />
              </div>
            )}
          </Loaded>
        )}
      </Page>
    </>
  )
}
