import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { addressOf } from '../api.ts'
import { useContent } from '../content/use-draft.ts'
import { Icon } from '../parts/icon.tsx'
import { Select } from '../parts/select.tsx'
import { Bone } from '../parts/skeleton.tsx'
import { present } from '../search.ts'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { useAddress } from '../shell/use-address.ts'
import { Answers } from './answers.tsx'
import { Comparison } from './comparison.tsx'
import { CompletedOverTime } from './completed-over-time.tsx'
import { Elements } from './elements.tsx'
import { Funnel } from './funnel.tsx'
import { PeopleDrawer } from './people-drawer.tsx'
import { type RunFilter, resultsQuery } from './queries.ts'
import { ResultFigures } from './result-figures.tsx'
import { Tasks } from './tasks.tsx'
import { resultsVerdict } from './words.ts'
import '../styles/results.css'

type Search = Partial<RunFilter> & {
  version?: number | undefined
  against?: number | undefined
  q?: string | undefined
}

/** How a version of a content does: the verdict, figures, where people left, and what they answered. */
export function ResultsPage() {
  const { slug: environment } = useEnvironment()
  const { detail } = useContent()
  const [search, setSearch] = useAddress<Search>()
  const { of, step, reason, question, value } = search
  const query = useQuery(resultsQuery(environment, detail.id, search.version, search.against))
  return (
    <div className={of ? 'with-drawer' : ''}>
      <div className={query.isPlaceholderData ? 'page stale' : 'page'}>
        <Loaded query={query} what="The results" skeleton={<Bone width="100%" height={320} />}>
          {(results) => (
            <>
              <div className={`verdict ${resultsVerdict(results).level}`}>
                <Icon name={resultsVerdict(results).level === 'ok' ? 'check' : 'alert'} />
                <div className="min-w-0">
                  <h2 className="title">{resultsVerdict(results).title}</h2>
                  <p className="sub">
                    {resultsVerdict(results).sub}{' '}
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
                <div className="end btns">
                  {results.versions.length > 0 && (
                    <Select
                      label="Version"
                      options={results.versions.map((number) => ({
                        value: String(number),
                        label: `Version ${number}`,
                      }))}
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
              {results.steps.length > 0 && <Funnel results={results} />}
              {results.tasks.length > 0 && <Tasks results={results} />}
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
              <Elements version={results.number} />
            </>
          )}
        </Loaded>
      </div>
      {of && query.data && (
        <PeopleDrawer
          filter={{ of, ...present({ step, reason, question, value }) }}
          results={query.data}
          onClose={() => setSearch({ version: search.version, against: search.against, q: search.q })}
        />
      )}
    </div>
  )
}
