import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { roughly } from '../format/duration.ts'
import { bounded, count, percentFigure, THIN_SPACE } from '../format/number.ts'
import { Figure, Figures } from '../parts/figures.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import type { HomeData } from './queries.ts'

/** Five figures, each of them a link. */
export function HomeFigures({ home }: { home: HomeData }) {
  const { slug } = useEnvironment()
  const params = { environment: slug }
  const { events_per_minute: minute, requests, deliveries, users, groups } = home
  const rejected = requests.total - requests.accepted
  const share = percentFigure(requests.accepted, requests.total)
  return (
    <Figures>
      <Link to="/$environment/live" params={params} search={{ view: 'events' }}>
        <Figure live label="Received per minute" figure={count(minute.now)} note={highest(minute)} />
      </Link>
      <Link to="/$environment/live" params={params} search={{ view: 'errors' }}>
        <Figure
          label="Requests accepted"
          figure={share}
          {...(share === '–' ? {} : { unit: `${THIN_SPACE}%` })}
          note={
            rejected === 0
              ? `All of ${count(requests.total)}`
              : `${count(rejected)} of ${count(requests.total)} rejected`
          }
        />
      </Link>
      <Link to="/$environment/webhooks" params={params}>
        <Figure
          label="Deliveries waiting"
          figure={bounded({ count: deliveries.waiting, is_more: deliveries.is_more })}
          note={
            deliveries.oldest_at ? `Oldest ${roughly(Date.now() - Date.parse(deliveries.oldest_at))}` : 'Up to date'
          }
        />
      </Link>
      <Link to="/$environment/users" params={params}>
        <Figure label="Users" figure={count(users.total)} note={`+${count(users.today)} today`} />
      </Link>
      <Link to="/$environment/groups" params={params}>
        <Figure label="Groups" figure={count(groups.total)} note={`+${count(groups.today)} today`} />
      </Link>
    </Figures>
  )
}

function highest({ highest: figure, highest_at }: HomeData['events_per_minute']): ReactNode {
  if (!highest_at) return 'None in the last hour'
  return (
    <>
      Highest {count(figure)} at <Time at={highest_at} as="minute" plain />
    </>
  )
}
