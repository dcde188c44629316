import type { ReactNode } from 'react'
import { count } from '../format/number.ts'
import { Absent, Facts } from '../parts/facts.tsx'
import { Section } from '../parts/panel.tsx'
import { Spark } from '../parts/spark.tsx'
import { Time } from '../parts/time.tsx'
import type { Installation } from './queries.ts'
import { scriptWords } from './verdict.ts'

/** What pages tell of the script: when they were seen, how many there are, and whether they load the newest one. */
export function TheirSide({
  installation: { seen_at, scripts, script_version, days },
}: {
  installation: Installation
}) {
  const facts: [string, ReactNode][] = [
    ['Last seen', seen_at ? <Time key="seen" at={seen_at} as="activity" /> : <Absent key="seen" />],
    ['Script', scriptWords(scripts, script_version)],
    ['Pages today', <Pages key="pages" values={days.values} />],
    ['Content policy', 'needs no unsafe-inline'],
  ]
  return (
    <Section title="On their side">
      <Facts>{facts}</Facts>
      <p className="t3 s12 mt-12">A page counts when it says who its user is.</p>
    </Section>
  )
}

function Pages({ values }: { values: number[] }) {
  const today = values.at(-1) ?? 0
  const before = values.slice(0, -1)
  const mean = Math.round(before.reduce((sum, one) => sum + one, 0) / Math.max(1, before.length))
  return (
    <span className="pages-day">
      <span>
        {count(today)} <span className="t2">({count(mean)} a day)</span>
      </span>
      <Spark values={values} />
    </span>
  )
}
