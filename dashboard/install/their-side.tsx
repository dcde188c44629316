import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { count } from '../format/number.ts'
import { Absent, Facts } from '../parts/facts.tsx'
import { Section } from '../parts/panel.tsx'
import { Spark } from '../parts/spark.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import type { Installation } from './queries.ts'
import { answerWords, errorWords, scriptWords } from './verdict.ts'

/** What is known of pages: when they were seen, how many there are, which script they load, and how it goes there. */
export function TheirSide({ installation }: { installation: Installation }) {
  const { seen_at, days, answers, errors } = installation
  const facts: [string, ReactNode][] = [
    ['Last seen', seen_at ? <Time key="seen" at={seen_at} as="activity" /> : <Absent key="seen" />],
    ['Script', scriptWords(installation)],
    ['Answer', answerWords(answers)],
    ['Errors', <Errors key="errors" errors={errors} />],
    ['Pages today', <Pages key="pages" values={days.values} />],
    ['Content policy', 'needs no unsafe-inline'],
  ]
  return (
    <Section title="On their side">
      <Facts>{facts}</Facts>
      <p className="t3 s12 mt-12">
        A page counts when it says who its user is. Answers are measured on the server, without the way to the browser.
      </p>
    </Section>
  )
}

/** Live has the calls of now, and what was wrong with them. */
function Errors({ errors }: { errors: Installation['errors'] }) {
  const { slug: environment } = useEnvironment()
  if (errors.caught + errors.refused === 0) return errorWords(errors)
  return (
    <>
      {errorWords(errors)}.{' '}
      <Link className="link" to="/$environment/live" params={{ environment }} search={{ q: '/sdk/' }}>
        See them in Live
      </Link>
    </>
  )
}

function Pages({ values }: { values: number[] }) {
  const today = values.at(-1) ?? 0
  const before = values.slice(0, -1)
  const mean = Math.round(before.reduce((sum, one) => sum + one, 0) / Math.max(1, before.length))
  return (
    <span className="pages-day">
      <span>
        {count(today)} {mean > 0 && <span className="t2">({count(mean)} a day before)</span>}
      </span>
      <Spark values={values} />
    </span>
  )
}
