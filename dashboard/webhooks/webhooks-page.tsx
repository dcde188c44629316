import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Empty } from '../parts/blank.tsx'
import { Button } from '../parts/button.tsx'
import { Page } from '../parts/page.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Table } from '../parts/table.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { endpointColumns } from './endpoint-columns.tsx'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { endpointsQuery } from './queries.ts'
import { endpointsVerdict } from './words.ts'

export function WebhooksPage({ create }: { create: boolean }) {
  const { slug } = useEnvironment()
  const query = useQuery({ ...endpointsQuery(slug), refetchInterval: 10_000 })
  const [creating, setCreating] = useState(create)
  const reason = useReason('createEndpoint')
  const columns = useMemo(() => endpointColumns(slug), [slug])
  const button = (
    <Button kind="primary" icon="plus" reason={reason} onClick={() => setCreating(true)}>
      Add endpoint
    </Button>
  )
  return (
    <>
      <Bar current="Webhooks" />
      <Page
        wide
        title="Webhooks"
        sub={
          <p>
            {query.data
              ? endpointsVerdict(query.data.data)
              : 'Endpoints that hear about users and events as they happen.'}
          </p>
        }
        end={query.data?.data.length === 0 ? null : button}
      >
        <Loaded query={query} what="The list" skeleton={<SkeletonRows rows={4} />}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title="No webhooks yet" action={button}>
                Add an endpoint, and Usher tells it about users and events as they happen.
              </Empty>
            ) : (
              <Table label="Webhook endpoints" rows={data} columns={columns} keyOf={({ id }) => id} />
            )
          }
        </Loaded>
      </Page>
      {creating && !reason && <EndpointDialog onClose={() => setCreating(false)} />}
    </>
  )
}
