import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../api.ts'
import { bounded, boundedWords, sentence } from '../format/number.ts'
import { zone } from '../objects/attribute-values.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Section } from '../parts/panel.tsx'
import { Select } from '../parts/select.tsx'
import { queryClient } from '../query-client.ts'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { type Endpoint, replaysQuery } from './queries.ts'
import { type Choice, type Range, rangeOf, SPANS } from './replay-range.ts'
import { ReplayRow } from './replay-row.tsx'

/** A range, then how many there are, then start; progress and cancel survive a reload. */
export function ReplayTool({ endpoint }: { endpoint: Endpoint }) {
  const { slug } = useEnvironment()
  const about = { environment: slug, endpoint_id: endpoint.id }
  const reason = useReason('startReplay')
  const [choice, setChoice] = useState<Choice>({ span: SPANS[1]?.value ?? 'own', since: '', until: '' })
  const [counts, setCounts] = useState<{ range: Range; count: number; is_more: boolean }>()
  const { data } = useQuery(replaysQuery(slug, endpoint.id))
  const counting = useAction(async () => {
    const range = rangeOf(choice, new Date())
    if ('problem' in range) throw new Error(range.problem)
    setCounts({ range, ...(await call('countReplay', { ...about, ...range })) })
  })
  const starting = useAction(async () => {
    if (!counts) return
    await call('startReplay', { ...about, ...counts.range })
    setCounts(undefined)
    await queryClient.invalidateQueries({ queryKey: replaysQuery(slug, endpoint.id).queryKey })
  })
  function choose(part: Partial<Choice>) {
    setChoice({ ...choice, ...part })
    setCounts(undefined)
    counting.clear()
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    void counting.run()
  }
  return (
    <Section title="Replay">
      <p className="t2 mb-12">Sends what happened in a range once more, for 30 days back.</p>
      <form onSubmit={submit} className="tools">
        <Select label="Range" value={choice.span} options={SPANS} onChange={(span) => choose({ span })} />
        {choice.span === 'own' && <OwnRange choice={choice} onChange={choose} />}
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

function OwnRange({ choice, onChange }: { choice: Choice; onChange: (part: Partial<Choice>) => void }) {
  return (
    <div className="own-range">
      <Field
        label="From"
        type="datetime-local"
        value={choice.since}
        onChange={(event) => onChange({ since: event.target.value })}
      />
      <Field
        label="To"
        type="datetime-local"
        help={`${zone()}. Left empty, it ends now.`}
        value={choice.until}
        onChange={(event) => onChange({ until: event.target.value })}
      />
    </div>
  )
}
