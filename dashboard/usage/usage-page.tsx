import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { count, percent } from '../format/number.ts'
import { Chart } from '../parts/chart.tsx'
import { Figure, Figures } from '../parts/figures.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Bone } from '../parts/skeleton.tsx'
import { Time } from '../parts/time.tsx'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { type UsageData, usageQuery } from './queries.ts'
import { verdictOf } from './verdict.ts'

function PlanName({ plan }: { plan: string }) {
  return (
    <p className="t2">
      Plan <b>{plan}</b>, changed by the operator with <code>npx usher accounts set-plan</code>
    </p>
  )
}

export function UsagePage() {
  const query = useQuery(usageQuery)
  return (
    <>
      <Bar current="Plan and usage" />
      <Page
        title="Plan and usage"
        sub={
          <p>{query.data ? verdictOf(query.data) : 'Requests of all environments against the limit of the plan.'}</p>
        }
        end={query.data && <PlanName plan={query.data.plan} />}
      >
        <Loaded query={query} what="The usage" skeleton={<Bone width="100%" height={280} />}>
          {(usage) => <UsageBody usage={usage} />}
        </Loaded>
      </Page>
    </>
  )
}

function UsageBody({ usage }: { usage: UsageData }) {
  const { requests, requests_per_minute: limit } = usage
  const now = requests.values.at(-2) ?? 0
  return (
    <>
      <Figures>
        <Figure label="Requests per minute" figure={count(now)} note="In the last full minute" />
        <Figure
          label="Limit"
          figure={limit === null ? 'None' : count(limit)}
          note={limit === null ? `The plan ${usage.plan} has no limit` : `Requests per minute, plan ${usage.plan}`}
        />
        <Figure label="Highest" figure={count(usage.highest)} note={highestNote(usage)} />
        <Figure label="Rate limited" figure={count(usage.rate_limited_24_hours)} note="Answered with 429 in 24 hours" />
      </Figures>
      <div className="grid">
        <Panel title="Requests per minute" end="Last 60 minutes">
          <Chart
            kind="line"
            series={requests}
            limit={limit ?? undefined}
            unit="requests"
            label={`Line chart of requests per minute in the last hour. The highest minute of 24 hours had ${usage.highest}.`}
          />
        </Panel>
        <Panel title="By environment" end="Last 24 hours">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">Environment</th>
                <th scope="col" className="n">
                  Requests
                </th>
                <th scope="col" className="n">
                  Users
                </th>
                <th scope="col" className="n">
                  Groups
                </th>
              </tr>
            </thead>
            <tbody>
              {usage.environments.map((environment) => (
                <tr key={environment.slug}>
                  <th scope="row" dir="auto">
                    {environment.name}
                  </th>
                  <td className="n">{count(environment.requests_24_hours)}</td>
                  <td className="n">{count(environment.users)}</td>
                  <td className="n">{count(environment.groups)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Panel>
      </div>
    </>
  )
}

function highestNote({ highest, highest_at, requests_per_minute: limit }: UsageData): ReactNode {
  return (
    <>
      {highest_at ? (
        <>
          At <Time at={highest_at} as="minute" plain />
        </>
      ) : (
        'In 24 hours'
      )}
      {limit !== null && highest > 0 && `, ${percent(highest, limit)} of the limit`}
    </>
  )
}
