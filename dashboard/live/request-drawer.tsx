import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Drawer } from '../parts/drawer.tsx'
import { HttpStatus } from '../parts/http-status.tsx'
import { Icon } from '../parts/icon.tsx'
import { Bone } from '../parts/skeleton.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { requestQuery } from './queries.ts'
import { RequestDetail } from './request-detail.tsx'
import { isNotFound, RequestNotKept } from './request-not-kept.tsx'

type Props = { requestId: string; onClose: () => void; onMove: (step: 1 | -1) => void }

export function RequestDrawer({ requestId, onClose, onMove }: Props) {
  const { slug } = useEnvironment()
  const query = useQuery(requestQuery(slug, requestId))
  const title = query.data ? (
    <>
      <HttpStatus code={query.data.status} />
      <span className="mono clip" dir="auto">
        {query.data.method} {query.data.url}
      </span>
    </>
  ) : (
    <span className="mono clip">{requestId}</span>
  )
  return (
    <Drawer
      label="Request"
      title={title}
      onClose={onClose}
      onMove={onMove}
      page={
        <Link
          className="icon-btn"
          aria-label="Open as a page"
          to="/$environment/requests/$requestId"
          params={{ environment: slug, requestId }}
        >
          <Icon name="ext" />
        </Link>
      }
    >
      {isNotFound(query.error) ? (
        <RequestNotKept requestId={requestId} />
      ) : (
        <Loaded query={query} what="The request" skeleton={<Bone width="80%" />}>
          {(request) => <RequestDetail request={request} />}
        </Loaded>
      )}
    </Drawer>
  )
}
