import { Link } from '@tanstack/react-router'
import type { Range } from '../../contract/dashboard/home.ts'
import { count } from '../format/number.ts'
import { Chart } from '../parts/chart.tsx'
import { Panel } from '../parts/panel.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { EndpointsPanel } from './endpoints-panel.tsx'
import { GuidanceLine } from './guidance-line.tsx'
import { HomeFigures } from './home-figures.tsx'
import { MostTracked } from './most-tracked.tsx'
import { OutcomesPanel } from './outcomes-panel.tsx'
import type { HomeData } from './queries.ts'
import { RejectionsPanel } from './rejections-panel.tsx'
import { VerdictHead } from './verdict-head.tsx'

type Props = { home: HomeData; range: Range; onRange: (range: Range) => void }

export function HomeBody({ home, range, onRange }: Props) {
  const { slug } = useEnvironment()
  const { events_per_minute: minute, events_per_day: day } = home
  return (
    <>
      <VerdictHead verdict={home.verdict} range={range} onRange={onRange} />
      <GuidanceLine notice={home.guidance} />
      <HomeFigures home={home} />
      <div className="grid g-2-1">
        <Panel title="Events received per minute" end="Last 60 minutes">
          <Chart
            kind="line"
            series={minute.series}
            unit="events"
            label={`Line chart of events received per minute in the last hour: ${minute.now} per minute now, at most ${minute.highest}.`}
          />
        </Panel>
        <OutcomesPanel home={home} />
      </div>
      <div className="grid g-1-1">
        <RejectionsPanel home={home} />
        <EndpointsPanel endpoints={home.endpoints} />
      </div>
      <div className="grid g-2-1">
        <Panel title="Events per day" end={`${count(day.total)} in 30 days, by their own time`}>
          <Chart
            kind="bars"
            height={148}
            series={day.series}
            unit="events"
            label={`Bar chart of events per day: ${day.total} in 30 days.`}
          />
        </Panel>
        <MostTracked tracked={home.most_tracked} />
      </div>
      <p className="set-up-again">
        <Link className="link" to="/$environment" params={{ environment: slug }} search={{ set_up: 'yes' }}>
          Set up
        </Link>{' '}
        shows the first steps again.
      </p>
    </>
  )
}
