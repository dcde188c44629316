import { useQuery } from '@tanstack/react-query'
import { addressOf } from '../api.ts'
import { useContent } from '../content/use-draft.ts'
import { whole } from '../format/duration.ts'
import { count, counted, percent, percentFigure, THIN_SPACE } from '../format/number.ts'
import { Figure, Figures } from '../parts/figures.tsx'
import { Icon } from '../parts/icon.tsx'
import { Select } from '../parts/select.tsx'
import { Bone } from '../parts/skeleton.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { useAddress } from '../shell/use-address.ts'
import { Answers } from './answers.tsx'
import { Comparison } from './comparison.tsx'
import { CompletedOverTime } from './completed-over-time.tsx'
import { Funnel } from './funnel.tsx'
import { type Results, resultsQuery } from './queries.ts'
import { LEAST_RUNS, resultsVerdict } from './words.ts'
import '../styles/results.css'

type Search = { version?: number | undefined; against?: number | undefined; q?: string | undefined }

/** How a version of a content does: the verdict, figures, where people left, and what they answered. */
export function ResultsPage() {
  const { slug: environment } = useEnvironment()
  const { detail } = useContent()
  const [search, setSearch] = useAddress<Search>()
  const query = useQuery(resultsQuery(environment, detail.id, search.version, search.against))
  return (
    <div className={query.isPlaceholderData ? 'page stale' : 'page'}>
      <Loaded query={query} what="The results" skeleton={<Bone width="100%" height={320} />}>
        {(results) => (
          <>
            <div className={`verdict ${resultsVerdict(results).level}`}>
              <Icon name={resultsVerdict(results).level === 'ok' ? 'check' : 'alert'} />
              <div className="min-w-0">
                <h2 className="title">{resultsVerdict(results).title}</h2>
                <p className="sub">{resultsVerdict(results).sub}</p>
              </div>
              <div className="end btns">
                {results.versions.length > 0 && (
                  <Select
                    label="Version"
                    options={results.versions.map((number) => ({ value: String(number), label: `Version ${number}` }))}
                    value={String(results.number)}
                    onChange={(number) => setSearch({ ...search, version: Number(number) })}
                  />
                )}
                <a
                  className="btn"
                  href={addressOf('exportResults', { environment, content_id: detail.id })}
                  download={`${detail.key}-results.csv`}
                >
                  <Icon name="download" />
                  Export
                </a>
              </div>
            </div>
            <ResultFigures results={results} />
            {results.missing && (
              <p className="missing">
                <Icon name="alert" />
                <span>
                  The first element was not found for {counted(results.missing.users, 'user', 'users')} within a day,
                  since <Time at={results.missing.since} />.
                </span>
              </p>
            )}
            {results.steps.length > 0 && <Funnel results={results} />}
            {results.seen > 0 && (
              <div className="grid g-2-1">
                <CompletedOverTime days={results.days} />
                <Comparison results={results} onAgainst={(against) => setSearch({ ...search, against })} />
              </div>
            )}
            {results.questions.length > 0 && (
              <Answers
                results={results}
                q={search.q ?? ''}
                onQ={(q) => setSearch({ ...search, q: q || undefined }, true)}
              />
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}

function ResultFigures({ results }: { results: Results }) {
  const { seen, completed, open, median_seconds, p90_seconds, against } = results
  const says = seen >= LEAST_RUNS
  return (
    <Figures>
      <Figure label="Runs" figure={count(seen)} note="Each counted once" />
      <Figure
        label="Completed"
        figure={says ? percentFigure(completed, seen) : count(completed)}
        {...(says ? { unit: `${THIN_SPACE}%` } : {})}
        note={
          says
            ? `${count(completed)} runs${against && against.seen >= LEAST_RUNS ? `; version ${against.number} had ${percent(against.completed, against.seen)}` : ''}`
            : 'Too few for a share'
        }
      />
      <Figure
        label="Median time"
        figure={median_seconds === null ? '–' : whole(median_seconds * 1000)}
        note={p90_seconds === null ? 'Nobody has completed it' : `9 of 10 within ${whole(p90_seconds * 1000)}`}
      />
      <Figure label="Open now" figure={count(open)} note="Begun, and not over" />
    </Figures>
  )
}
