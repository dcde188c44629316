import { Link } from '@tanstack/react-router'
import type { Point } from '../parts/timeline.tsx'
import { DeliveryStateLabel } from '../webhooks/delivery-state.tsx'
import { placeOf } from '../webhooks/words.ts'
import { Pairs } from './pairs.tsx'
import type { TimelineItem } from './queries.ts'

const FAILING = ['retrying', 'held', 'given_up']

type Webhook = Extract<TimelineItem, { kind: 'webhook' }>

export function pointsOf(environment: string, items: TimelineItem[], onOpen: (eventId: string) => void): Point[] {
  return items.flatMap((item): Point[] => {
    if (item.kind === 'event') return [eventPoint(item, onOpen)]
    if (item.kind === 'webhook') return webhookPoints(environment, item)
    return [{ key: 'created', at: item.at, look: 'start', title: <b>Created</b>, detail: null }]
  })
}

function eventPoint({ at, event }: Extract<TimelineItem, { kind: 'event' }>, onOpen: (eventId: string) => void): Point {
  return {
    key: event.id,
    at,
    look: 'event',
    title: (
      <button type="button" className="in-row-link" onClick={() => onOpen(event.id)} dir="auto">
        <b>{event.name}</b>
      </button>
    ),
    detail: <Pairs attributes={event.attributes} />,
  }
}

/** Successful deliveries share one line; each other one has its own. */
function webhookPoints(environment: string, item: Webhook): Point[] {
  const delivered = item.deliveries.filter(({ state }) => state === 'delivered')
  const rest = item.deliveries.filter(({ state }) => state !== 'delivered')
  const title = (
    <>
      <span className="t2">Webhook</span> <span dir="auto">{item.topic}</span>
    </>
  )
  const single = (delivery: Webhook['deliveries'][number]): Point => ({
    key: `${item.notification_id} ${delivery.endpoint_id}`,
    at: item.at,
    look: FAILING.includes(delivery.state) ? 'fail' : 'hook',
    title,
    detail: (
      <>
        <Link
          className="in-row-link"
          to="/$environment/webhooks/$endpointId/$notificationId"
          params={{ environment, endpointId: delivery.endpoint_id, notificationId: item.notification_id }}
        >
          {placeOf(delivery.url)}
        </Link>{' '}
        · <DeliveryStateLabel state={delivery.state} status={delivery.status} />
      </>
    ),
  })
  if (delivered.length < 2) return item.deliveries.map(single)
  return [...rest.map(single), summary(item, delivered.length, title)]
}

function summary(item: Webhook, endpoints: number, title: React.ReactNode): Point {
  return {
    key: item.notification_id,
    at: item.at,
    look: 'hook',
    title,
    detail: (
      <>
        {endpoints} endpoints · <DeliveryStateLabel state="delivered" />
      </>
    ),
  }
}
