import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Section } from '../parts/panel.tsx'
import { queryClient } from '../query-client.ts'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { DeliveryStateLabel } from './delivery-state.tsx'
import { deliveryQuery, type Endpoint } from './queries.ts'
import { Timings } from './timings.tsx'
import { whyOf } from './why.ts'

/** Sends a test and shows its outcome in place. */
export function TestTool({ endpoint }: { endpoint: Endpoint }) {
  const { slug } = useEnvironment()
  const reason = useReason('testEndpoint')
  const [sent, setSent] = useState<string>()
  const { run, running, problem } = useAction(async () => {
    const { notification_id } = await call('testEndpoint', { environment: slug, endpoint_id: endpoint.id })
    setSent(notification_id)
    await queryClient.invalidateQueries({ queryKey: [slug, 'endpoints', endpoint.id] })
  })
  return (
    <Section title="Test">
      <p className="t2 mb-12">Sends one signed notification and shows what comes back.</p>
      <Button
        icon="play"
        reason={reason ?? (endpoint.disabled ? 'The endpoint is disabled' : undefined)}
        busy={running && 'Sending…'}
        onClick={() => void run()}
      >
        Send a test
      </Button>
      {problem && (
        <p className="problem-text" role="alert">
          {problem}
        </p>
      )}
      {sent && <Outcome endpoint={endpoint} notificationId={sent} />}
    </Section>
  )
}

function Outcome({ endpoint, notificationId }: { endpoint: Endpoint; notificationId: string }) {
  const { slug } = useEnvironment()
  const { data } = useQuery({ ...deliveryQuery(slug, endpoint.id, notificationId), refetchInterval: 1000 })
  const attempt = data?.attempt_log[0]
  const failed = attempt && (attempt.status === null || attempt.status >= 300)
  return (
    <div className="outcome" role="status">
      <p className="row">
        <DeliveryStateLabel state={data?.state ?? 'waiting'} status={attempt?.status ?? null} />
        <Link
          className="link"
          to="/$environment/webhooks/$endpointId/$notificationId"
          params={{ environment: slug, endpointId: endpoint.id, notificationId }}
        >
          Open the delivery
        </Link>
      </p>
      {failed && <p className="t2">{Object.values(whyOf(endpoint.url, data)).join(' ')}</p>}
      {attempt && <Timings attempt={attempt} />}
    </div>
  )
}
