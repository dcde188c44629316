import { lazy, Suspense } from 'react'
import { day } from '../format/time.ts'
import { Panel } from '../parts/panel.tsx'
import { Bone } from '../parts/skeleton.tsx'
import { completedSeries, overTimeWords } from './over-time.ts'
import type { Results } from './queries.ts'

const Chart = lazy(async () => ({ default: (await import('../parts/chart.tsx')).Chart }))

/** The share of runs that were completed, by the day on which they began, with the days on which versions went live. */
export function CompletedOverTime({ results: { days, versions, number } }: { results: Results }) {
  const series = completedSeries(days, new Date())
  const marks = versions.map((version) => ({
    // At the point of its day.
    at: `${version.published_at.slice(0, 10)}T00:00:00Z`,
    label: `Version ${version.number} went live`,
    isMain: version.number === number,
  }))
  return (
    <Panel title="Completed, of those who saw it that day" end="All versions, in per cent">
      {series.values.filter((value) => value !== null).length < 2 ? (
        <p className="t2 pad">It has been seen on one day so far.</p>
      ) : (
        <Suspense fallback={<Bone width="100%" height={200} />}>
          <Chart
            kind="line"
            series={series}
            unit="%"
            marks={marks}
            label={overTimeWords(days, (at) => day(new Date(at), new Date()))}
          />
        </Suspense>
      )}
    </Panel>
  )
}
