import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../parts/button.tsx'
import { CopyId } from '../parts/copy.tsx'
import { Icon } from '../parts/icon.tsx'
import { Page } from '../parts/page.tsx'
import { Bone } from '../parts/skeleton.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { AttemptDetail } from './attempt-detail.tsx'
import { AttemptList } from './attempt-list.tsx'
import { DeliveryActions } from './delivery-actions.tsx'
import { DeliveryStateLabel } from './delivery-state.tsx'
import { type Delivery, deliveryQuery } from './queries.ts'
import { whyOf } from './why.ts'
import { hostOf } from './words.ts'

type Props = { endpointId: string; notificationId: string; attempt: string | undefined }

export function DeliveryPage({ endpointId, notificationId, attempt }: Props) {
  const { slug } = useEnvironment()
  const query = useQuery(deliveryQuery(slug, endpointId, notificationId))
  const { data } = query
  const params = { environment: slug }
  return (
    <>
      <Bar
        crumbs={[
          { label: 'Webhooks', link: { to: '/$environment/webhooks', params } },
          {
            label: data ? hostOf(data.url) : 'Endpoint',
            link: { to: '/$environment/webhooks/$endpointId', params: { ...params, endpointId } },
          },
        ]}
        current="Delivery"
      />
      <Page
        title={
          <span className="break" dir="auto">
            {data?.topic ?? 'Delivery'}
          </span>
        }
        badge={data && <DeliveryStateLabel badge state={data.state} />}
        sub={data && <Ids delivery={data} />}
        end={data && <DeliveryActions delivery={data} />}
      >
        <Loaded query={query} what="The delivery" skeleton={<Bone width="100%" height={240} />}>
          {(delivery) => <DeliveryBody delivery={delivery} attempt={attempt} />}
        </Loaded>
      </Page>
    </>
  )
}

function DeliveryBody({ delivery, attempt }: { delivery: Delivery; attempt: string | undefined }) {
  const chosen = delivery.attempt_log.find(({ id }) => id === attempt) ?? delivery.attempt_log[0]
  return (
    <>
      <WhyBox delivery={delivery} />
      <div className="grid g-del">
        <AttemptList delivery={delivery} chosen={chosen?.id} />
        <AttemptDetail delivery={delivery} attempt={chosen} />
      </div>
    </>
  )
}

function Ids({ delivery }: { delivery: Delivery }) {
  const { slug: environment } = useEnvironment()
  const { user_id, group_id } = delivery
  return (
    <p className="ids">
      <CopyId value={delivery.notification_id} />
      <span className="sep" />
      {(user_id || group_id) && (
        <>
          <span>
            for{' '}
            {user_id ? (
              <Link className="link" to="/$environment/users/$userId" params={{ environment, userId: user_id }}>
                {user_id}
              </Link>
            ) : (
              <Link
                className="link"
                to="/$environment/groups/$groupId"
                params={{ environment, groupId: group_id ?? '' }}
              >
                {group_id}
              </Link>
            )}
          </span>
          <span className="sep" />
        </>
      )}
      <span>
        happened <Time at={delivery.created_at} as="seconds" />
      </span>
    </p>
  )
}

const TROUBLED = ['retrying', 'held', 'given_up']

function WhyBox({ delivery }: { delivery: Delivery }) {
  const { slug } = useEnvironment()
  const { state, url, last_status: status, last_failure: failure } = delivery
  if (delivery.is_disabled)
    return (
      <Box
        tone="mute"
        title="The endpoint is disabled."
        text="Its deliveries are on hold. Enable it, and they go out."
      />
    )
  if (!TROUBLED.includes(state)) return null
  const why = whyOf({ url, status, failure })
  return (
    <div className={state === 'given_up' ? 'why bad' : 'why'}>
      <Icon name="alert" />
      <div>
        <h2>{why.title}</h2>
        <p>
          {why.advice} <Next delivery={delivery} />
        </p>
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

const Box = ({ tone, title, text }: { tone: string; title: string; text: string }) => (
  <div className={`why ${tone}`}>
    <Icon name="info" />
    <div>
      <h2>{title}</h2>
      <p>{text}</p>
    </div>
  </div>
)

function Next({ delivery }: { delivery: Delivery }) {
  if (delivery.state === 'given_up') return 'Attempts have stopped. Retry it by hand, or replay a range.'
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
