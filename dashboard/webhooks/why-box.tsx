import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import type { Delivery, Endpoint } from './queries.ts'
import { whyOf } from './why.ts'

type Props = {
  delivery: Delivery
  /** The health of the endpoint, when the delivery waits because the endpoint fails. */
  blocking: Endpoint['health'] | undefined
}

const TROUBLED = ['retrying', 'held', 'given_up']

/** Why a delivery is not delivered, and what to do. */
export function WhyBox({ delivery, blocking }: Props) {
  const { state, url } = delivery
  if (delivery.is_disabled) return <OnHold />
  if (blocking) {
    const why = whyOf(url, blocking)
    return (
      <Box delivery={delivery} title={why.title}>
        {why.advice} A failing endpoint gets fewer deliveries at a time, and after three failures in a row one. This one
        is sent in its turn.
      </Box>
    )
  }
  if (!TROUBLED.includes(state)) return null
  const why = whyOf(url, delivery)
  return (
    <Box delivery={delivery} title={why.title}>
      {why.advice} <Next delivery={delivery} />
    </Box>
  )
}

function Box({ delivery, title, children }: { delivery: Delivery; title: string; children: ReactNode }) {
  const { slug } = useEnvironment()
  return (
    <div className={delivery.state === 'given_up' ? 'why bad' : 'why'}>
      <Icon name="alert" />
      <div>
        <h2>{title}</h2>
        <p>{children}</p>
      </div>
      <Link
        className={buttonClass('plain', true)}
        to="/$environment/webhooks/$endpointId"
        params={{ environment: slug, endpointId: delivery.endpoint_id }}
      >
        Open endpoint
      </Link>
    </div>
  )
}

const OnHold = () => (
  <div className="why mute">
    <Icon name="info" />
    <div>
      <h2>The endpoint is disabled.</h2>
      <p>Its deliveries are on hold. Enable it, and they go out.</p>
    </div>
  </div>
)

function Next({ delivery }: { delivery: Delivery }) {
  if (delivery.state === 'given_up') return 'Attempts have stopped. Retry it by hand, or replay a range.'
  if (delivery.next_attempt_at && Date.parse(delivery.next_attempt_at) <= Date.now())
    return 'It is due, and Usher sends it in its turn.'
  return (
    <>
      {delivery.next_attempt_at && (
        <>
          Usher tries again at <Time at={delivery.next_attempt_at} as="seconds" />
        </>
      )}
      {delivery.expires_at && (
        <>
          , and then less and less often until <Time at={delivery.expires_at} />
        </>
      )}
      .
    </>
  )
}
