import { Link } from '@tanstack/react-router'
import { useContent } from '../content/use-draft.ts'
import { whole } from '../format/duration.ts'
import { count, percent } from '../format/number.ts'
import { LEAST_RUNS } from '../format/shares.ts'
import { Panel } from '../parts/panel.tsx'
import { Select } from '../parts/select.tsx'
import { useEnvironment } from '../session/use-session.ts'
import type { Results } from './queries.ts'
import { npsOf, npsWords } from './words.ts'

type Props = { results: Results; onAgainst: (number: number) => void }

/** Two versions side by side, with the difference. */
export function Comparison({ results, onAgainst }: Props) {
  const { against, versions, number } = results
  const others = versions.map((one) => one.number).filter((one) => one !== number)
  if (!against || others.length === 0)
    return (
      <Panel title="Against another version">
        <p className="t2 pad">There is no other version yet.</p>
      </Panel>
    )
  const says = results.seen >= LEAST_RUNS && against.seen >= LEAST_RUNS
  const share = ({ completed, seen }: { completed: number; seen: number }) =>
    seen === 0 ? 0 : (100 * completed) / seen
  const difference = share(results) - share(against)
  return (
    <Panel
      title={`Against version ${against.number}`}
      end={
        <>
          <WhatChanged number={number} against={against.number} />
          {others.length > 1 && (
            <Select
              label="Compared with"
              options={others.map((one) => ({ value: String(one), label: `Version ${one}` }))}
              value={String(against.number)}
              onChange={(one) => onAgainst(Number(one))}
            />
          )}
        </>
      }
    >
      <table className="cmp">
        <thead>
          <tr>
            <td />
            <th scope="col">Version {against.number}</th>
            <th scope="col">Version {number}</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          <Row name="Runs" before={count(against.seen)} after={count(results.seen)} change="–" />
          <Row
            name="Completed"
            before={says ? percent(against.completed, against.seen) : count(against.completed)}
            after={says ? percent(results.completed, results.seen) : count(results.completed)}
            change={says ? signed(difference) : 'Too few to say'}
          />
          <Row
            name="Median time"
            before={timeOf(against.median_seconds)}
            after={timeOf(results.median_seconds)}
            change="–"
          />
          {against.questions.map((before) => {
            const after = results.questions.find(({ key }) => key === before.key)
            if (!after) return null
            const [was, is] = [npsOf(before.counts).score, npsOf(after.counts).score]
            const answersSay = before.answers >= LEAST_RUNS && after.answers >= LEAST_RUNS
            return (
              <Row
                key={before.key}
                name={`NPS: ${before.label}`}
                before={npsWords(before)}
                after={npsWords(after)}
                change={answersSay ? signedWhole(is - was) : 'Too few to say'}
              />
            )
          })}
        </tbody>
      </table>
    </Panel>
  )
}

function WhatChanged({ number, against }: { number: number; against: number }) {
  const { slug: environment } = useEnvironment()
  const { detail } = useContent()
  return (
    <Link
      className="link"
      to="/$environment/content/$contentId/versions"
      params={{ environment, contentId: detail.id }}
      search={{ number, against }}
    >
      What changed
    </Link>
  )
}

const timeOf = (seconds: number | null) => (seconds === null ? '–' : whole(seconds * 1000))
const signedWhole = (value: number) => signed(value).replace(/\.0$/, '')
const signed = (value: number) => `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(1)}`

const Row = ({ name, before, after, change }: { name: string; before: string; after: string; change: string }) => (
  <tr>
    <th scope="row">{name}</th>
    <td className="t2">{before}</td>
    <td>{after}</td>
    <td>{change}</td>
  </tr>
)
