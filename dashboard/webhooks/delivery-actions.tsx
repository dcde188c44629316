import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { useCopy } from '../parts/copy.tsx'
import { toast } from '../parts/toast.tsx'
import { queryClient } from '../query-client.ts'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import type { Delivery } from './queries.ts'

const RESULTS = {
  due_now: 'It is tried now.',
  being_sent: 'It is being sent already.',
  sent_again: 'It is sent once more.',
  paused: 'Deliveries are paused. It goes first when they are resumed.',
}

export function DeliveryActions({ delivery }: { delivery: Delivery }) {
  const { slug } = useEnvironment()
  const reason = useReason('retryDelivery')
  const { copied, copy } = useCopy(() => curlOf(delivery))
  const { run, running, problem } = useAction(async () => {
    const about = { environment: slug, endpoint_id: delivery.endpoint_id, notification_id: delivery.notification_id }
    const { result } = await call('retryDelivery', about)
    toast(RESULTS[result])
    await queryClient.invalidateQueries({ queryKey: [slug, 'endpoints', delivery.endpoint_id] })
  })
  return (
    <>
      {problem && (
        <small className="problem-text" role="alert">
          {problem}
        </small>
      )}
      {delivery.request_body !== null && (
        <Button icon={copied ? 'check' : 'terminal'} onClick={copy}>
          {copied ? 'Copied' : 'Copy as curl'}
        </Button>
      )}
      <Button
        kind="primary"
        icon="retry"
        reason={reason ?? (delivery.is_disabled ? 'The endpoint is disabled' : undefined)}
        busy={running && 'Sending…'}
        onClick={() => void run()}
      >
        {delivery.state === 'delivered' ? 'Send again' : 'Retry now'}
      </Button>
    </>
  )
}

/** In single quotes a shell reads everything literally, except the quote itself. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function curlOf({ url, request_body }: Delivery): string {
  return `curl ${quoted(url)} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(request_body ?? '')}`
}
