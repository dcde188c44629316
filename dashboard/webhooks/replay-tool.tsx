import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../api.ts'
import { bounded, boundedWords, sentence } from '../format/number.ts'
import { Button } from '../parts/button.tsx'
import { Section } from '../parts/panel.tsx'
import { Select } from '../parts/select.tsx'
import { queryClient } from '../query-client.ts'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { type Endpoint, replaysQuery } from './queries.ts'
import { ReplayRow } from './replay-row.tsx'

const HOUR = 3_600_000
const SPANS = [
  { value: String(HOUR), label: 'The last hour' },
  { value: String(24 * HOUR), label: 'The last 24 hours' },
  { value: String(7 * 24 * HOUR), label: 'The last 7 days' },
  { value: String(30 * 24 * HOUR), label: 'The last 30 days' },
]

type Range = { since: string; until: string }

/** A range, then how many there are, then start; progress and cancel survive a reload. */
export function ReplayTool({ endpoint }: { endpoint: Endpoint }) {
  const { slug } = useEnvironment()
  const about = { environment: slug, endpoint_id: endpoint.id }
  const reason = useReason('startReplay')
  const [span, setSpan] = useState(String(24 * HOUR))
  const [counts, setCounts] = useState<{ range: Range; count: number; is_more: boolean }>()
  const { data } = useQuery(replaysQuery(slug, endpoint.id))
  const counting = useAction(async () => {
    const until = new Date()
    const range = { since: new Date(until.getTime() - Number(span)).toISOString(), until: until.toISOString() }
    setCounts({ range, ...(await call('countReplay', { ...about, ...range })) })
  })
  const starting = useAction(async () => {
    if (!counts) return
    await call('startReplay', { ...about, ...counts.range })
    setCounts(undefined)
    await queryClient.invalidateQueries({ queryKey: replaysQuery(slug, endpoint.id).queryKey })
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    void counting.run()
  }
  return (
    <Section title="Replay">
      <p className="t2 mb-12">Sends what happened in a range once more, for 30 days back.</p>
      <form onSubmit={submit} className="tools">
        <Select
          label="Range"
          value={span}
          options={SPANS}
          onChange={(next) => {
            setSpan(next)
            setCounts(undefined)
          }}
        />
        <Button type="submit" reason={reason} busy={counting.running && 'Counting…'}>
          Count deliveries
        </Button>
      </form>
      {counts && (
        <div className="outcome">
          <p>{sentence(boundedWords(counts, 'delivery', 'deliveries'))} would be sent again.</p>
          <Button
            kind="primary"
            disabled={counts.count === 0}
            busy={starting.running && 'Starting…'}
            onClick={() => void starting.run()}
          >
            Replay {bounded(counts)}
          </Button>
        </div>
      )}
      {(counting.problem ?? starting.problem) && (
        <p className="problem-text" role="alert">
          {counting.problem ?? starting.problem}
        </p>
      )}
      <ul className="replays">
        {data?.data.slice(0, 5).map((replay) => (
          <ReplayRow key={replay.id} endpointId={endpoint.id} replay={replay} />
        ))}
      </ul>
    </Section>
  )
}
