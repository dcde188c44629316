import { Link } from '@tanstack/react-router'
import { duration, whole } from '../format/duration.ts'
import { clock, dayKey } from '../format/time.ts'
import { HttpStatus } from '../parts/http-status.tsx'
import { Icon } from '../parts/icon.tsx'
import { useNow } from '../parts/now.ts'
import { Section } from '../parts/panel.tsx'
import { StateShape } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import type { Attempt, Delivery } from './queries.ts'

type Props = {
  delivery: Delivery
  chosen: string | undefined
  /** Whether it waits because its endpoint fails. */
  isBlocked: boolean
}

/** Newest first; the next attempt is on top. */
export function AttemptList({ delivery, chosen, isBlocked }: Props) {
  const log = delivery.attempt_log
  return (
    <Section title="Attempts" count={log.length}>
      <ul className="att">
        {delivery.next_attempt_at && delivery.state !== 'delivered' && delivery.state !== 'given_up' && (
          <NextAttempt at={delivery.next_attempt_at} isOnHold={delivery.is_disabled} isBlocked={isBlocked} />
        )}
        {log.map((attempt, index) => (
          <AttemptRow
            key={attempt.id}
            delivery={delivery}
            attempt={attempt}
            before={log[index + 1]}
            on={attempt.id === chosen}
          />
        ))}
      </ul>
      <p className="note mt-12">
        <Icon name="info" />
        <span>Attempts stop 72 hours after the notification. It can be replayed for 30 days.</span>
      </p>
    </Section>
  )
}

function NextAttempt({ at, isOnHold, isBlocked }: { at: string; isOnHold: boolean; isBlocked: boolean }) {
  const now = useNow(1000)
  const left = Date.parse(at) - now.getTime()
  const words = isOnHold
    ? 'when the endpoint is enabled'
    : left > 0
      ? `in ${whole(left)}, at ${clock(new Date(at), 'seconds')}`
      : isBlocked
        ? 'when the endpoint answers'
        : 'now'
  return (
    <li>
      <div className="next">
        <span className="dot state mute">
          <StateShape shape="dashed" />
        </span>
        <div>
          Next attempt
          <small>{words}</small>
        </div>
      </div>
    </li>
  )
}

type RowProps = { delivery: Delivery; attempt: Attempt; before: Attempt | undefined; on: boolean }

function AttemptRow({ delivery, attempt, before, on }: RowProps) {
  const { slug } = useEnvironment()
  const good = attempt.status !== null && attempt.status < 300
  const after = before ? ` · after ${whole(Date.parse(attempt.at) - Date.parse(before.at))}` : ''
  return (
    <li className={on ? 'on' : ''}>
      <Link
        to="/$environment/webhooks/$endpointId/$notificationId"
        params={{ environment: slug, endpointId: delivery.endpoint_id, notificationId: delivery.notification_id }}
        search={{ attempt: attempt.id }}
        resetScroll={false}
        aria-current={on ? 'true' : undefined}
      >
        <span className={`dot state ${good ? 'ok' : 'bad'}`}>
          <StateShape shape={good ? 'full' : 'cross'} />
        </span>
        <div>
          Attempt {attempt.attempt}
          <small>
            <Time at={attempt.at} as={isToday(attempt.at) ? 'clock' : 'seconds'} plain />
            {after}
          </small>
        </div>
        <div className="r">
          {attempt.status === null ? 'No answer' : <HttpStatus code={attempt.status} />}
          <br />
          {duration(attempt.total_ms)}
        </div>
      </Link>
    </li>
  )
}

const isToday = (at: string) => dayKey(new Date(at)) === dayKey(new Date())
