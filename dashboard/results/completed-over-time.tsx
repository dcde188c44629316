import { lazy, Suspense } from 'react'
import { Panel } from '../parts/panel.tsx'
import { Bone } from '../parts/skeleton.tsx'
import type { Results } from './queries.ts'

const Chart = lazy(async () => ({ default: (await import('../parts/chart.tsx')).Chart }))
const DAY_MS = 86_400_000

/** The share of runs that were completed, by the day on which they began. */
export function CompletedOverTime({ days }: { days: Results['days'] }) {
  const series = seriesOf(days)
  return (
    <Panel title="Completed, of those who saw it that day" end="in per cent">
      {series.values.length < 2 ? (
        <p className="t2 pad">It has been seen on one day so far.</p>
      ) : (
        <Suspense fallback={<Bone width="100%" height={200} />}>
          <Chart
            kind="line"
            series={series}
            unit="%"
            label={`Completed runs of each day in per cent: ${series.values[0]} at first, ${series.values.at(-1)} today.`}
          />
        </Suspense>
      )}
    </Panel>
  )
}

/** Days without runs are nought. */
function seriesOf(days: Results['days']) {
  const first = days[0]
  const last = days.at(-1)
  if (!first || !last) return { from: new Date().toISOString(), step_seconds: 86_400, values: [] }
  const from = Date.parse(`${first.day}T00:00:00Z`)
  const length = Math.round((Date.parse(`${last.day}T00:00:00Z`) - from) / DAY_MS) + 1
  const byDay = new Map(days.map((day) => [day.day, day]))
  const values = Array.from({ length }, (_, index) => {
    const day = byDay.get(new Date(from + index * DAY_MS).toISOString().slice(0, 10))
    return day && day.seen > 0 ? Math.round((100 * day.completed) / day.seen) : 0
  })
  return { from: new Date(from).toISOString(), step_seconds: 86_400, values }
}
