import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { addressOf } from '../api.ts'
import { CheckUser } from '../conditions/check-user.tsx'
import type { Count } from '../conditions/queries.ts'
import { useCount } from '../conditions/use-count.ts'
import { useContent } from '../content/use-draft.ts'
import { day } from '../format/time.ts'
import { Icon } from '../parts/icon.tsx'
import { Select } from '../parts/select.tsx'
import { Bone } from '../parts/skeleton.tsx'
import { VerdictIcon } from '../parts/verdict-icon.tsx'
import { present } from '../search.ts'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { useAddress } from '../shell/use-address.ts'
import { Answers } from './answers.tsx'
import { Comparison } from './comparison.tsx'
import { CompletedOverTime } from './completed-over-time.tsx'
import { Elements } from './elements.tsx'
import { Ends } from './ends.tsx'
import { Funnel } from './funnel.tsx'
import { PeopleDrawer } from './people-drawer.tsx'
import { type Results, type ResultsAsked, type RunFilter, resultsQuery } from './queries.ts'
import { ResultFigures } from './result-figures.tsx'
import { Tasks } from './tasks.tsx'
import { resultsVerdict } from './words.ts'
import '../styles/results.css'

type Search = Partial<RunFilter> & ResultsAsked & { q?: string | undefined }

const RANGES = [
  { value: 'all', label: 'All time' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
]

/** How a version of a content does: the verdict, figures, where people left, and what they answered. */
export function ResultsPage() {
  const { slug: environment } = useEnvironment()
  const { detail } = useContent()
  const [search, setSearch] = useAddress<Search>()
  const { of, step, reason, question, value, version, against, days, q } = search
  const query = useQuery(resultsQuery(environment, detail.id, search))
  const isLive = detail.published !== null && query.data?.number === detail.published.number
  const who = detail.published?.document.who
  const matching = useCount(isLive ? who : undefined, 'user')
  /** A file has what the page shows. */
  const exported = ({ number }: Results) => ({
    environment,
    content_id: detail.id,
    version: number,
    ...present({ days }),
  })
  const receiptOf = (userId: string) => (
    <Link
      className="link"
      to="/$environment/content/$contentId/receipts/$userId"
      params={{ environment, contentId: detail.id, userId }}
    >
      Why, in full
    </Link>
  )
  return (
    <div className={of ? 'with-drawer' : ''}>
      <div className={query.isPlaceholderData ? 'page below-head results stale' : 'page below-head results'}>
        <Loaded query={query} what="The results" skeleton={<Bone width="100%" height={320} />}>
          {(results) => (
            <>
              <ResultsHead results={results} matching={matching.counted}>
                <div className="end btns">
                  {results.versions.length > 0 && (
                    <Select
                      label="Version"
                      options={results.versions.map(({ number, published_at }) => ({
                        value: String(number),
                        label: `Version ${number}, since ${day(new Date(published_at), new Date())}`,
                      }))}
                      value={String(results.number)}
                      onChange={(number) => setSearch({ ...search, version: Number(number) })}
                    />
                  )}
                  <Select
                    label="Range"
                    options={RANGES}
                    value={search.days === undefined ? 'all' : String(search.days)}
                    onChange={(days) => setSearch({ ...search, days: days === 'all' ? undefined : Number(days) })}
                  />
                  <a className="btn" href={addressOf('exportResults', exported(results))} download>
                    <Icon name="download" />
                    Export
                  </a>
                </div>
              </ResultsHead>
              <ResultFigures results={results} matching={matching.counted} />
              {results.seen === 0 && isLive && <CheckUser condition={who} scope="user" more={receiptOf} />}
              {results.steps.length > 0 && <Funnel results={results} />}
              {results.tasks.length > 0 && <Tasks results={results} />}
              {results.steps.length === 0 && results.left.length > 0 && <Ends results={results} />}
              {results.seen > 0 && (
                <div className="grid g-2-1">
                  <CompletedOverTime results={results} />
                  <Comparison results={results} onAgainst={(against) => setSearch({ ...search, against })} />
                </div>
              )}
              {results.questions.length > 0 && (
                <p className="answers-file">
                  <a
                    className="link"
                    href={addressOf('exportResults', { ...exported(results), of: 'answers' })}
                    download
                  >
                    Answers as CSV
                  </a>
                </p>
              )}
              {results.questions.length > 0 && (
                <Answers
                  results={results}
                  days={search.days}
                  q={search.q ?? ''}
                  onQ={(q) => setSearch({ ...search, q: q || undefined }, true)}
                />
              )}
              <Elements version={results.number} />
            </>
          )}
        </Loaded>
      </div>
      {of && query.data && (
        <PeopleDrawer
          filter={{ of, ...present({ step, reason, question, value }) }}
          results={query.data}
          days={search.days}
          onClose={() => setSearch({ version, against, days, q })}
        />
      )}
    </div>
  )
}

type HeadProps = { results: Results; matching: Count | undefined; children: ReactNode }

/** The verdict, and beside it what is chosen. */
function ResultsHead({ results, matching, children }: HeadProps) {
  const { slug: environment } = useEnvironment()
  const { detail } = useContent()
  const { level, title, sub } = resultsVerdict(results, matching)
  return (
    <div className={`verdict ${level}`}>
      <VerdictIcon level={level} />
      <div className="min-w-0">
        <h2 className="title">{title}</h2>
        <p className="sub">
          {sub}{' '}
          {results.missed && (
            <Link
              className="link"
              to="/$environment/content/$contentId/steps"
              params={{ environment, contentId: detail.id }}
              search={{ step: results.missed.step }}
            >
              Pick it again
            </Link>
          )}
        </p>
      </div>
      {children}
    </div>
  )
}
