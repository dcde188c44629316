import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CopyId } from '../parts/copy.tsx'
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
import { type Delivery, deliveryQuery, type Endpoint, endpointsQuery } from './queries.ts'
import { WhyBox } from './why-box.tsx'
import { placeOf } from './words.ts'

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
            label: data ? placeOf(data.url) : 'Endpoint',
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
  const blocking = useBlockingHealth(delivery)
  return (
    <>
      <WhyBox delivery={delivery} blocking={blocking} />
      <div className="grid g-del">
        <AttemptList delivery={delivery} chosen={chosen?.id} isBlocked={blocking !== undefined} />
        <AttemptDetail delivery={delivery} attempt={chosen} />
      </div>
    </>
  )
}

/** The health of a failing endpoint, whose deliveries wait for one of them to be answered. */
function useBlockingHealth({ endpoint_id, state }: Delivery): Endpoint['health'] | undefined {
  const { slug } = useEnvironment()
  const { data } = useQuery(endpointsQuery(slug))
  const health = data?.data.find(({ id }) => id === endpoint_id)?.health
  return state === 'waiting' && health?.state === 'failing' ? health : undefined
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
