import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Condition } from '../../contract/conditions/condition.ts'
import { call } from '../api.ts'
import { Builder } from '../conditions/builder.tsx'
import { useCatalogue } from '../conditions/catalogue.ts'
import { CountCard } from '../conditions/count-card.tsx'
import { readCondition } from '../conditions/json-dialog.tsx'
import { Sentence } from '../conditions/sentence.tsx'
import { useCount } from '../conditions/use-count.ts'
import { keyOf } from '../format/key.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Segments } from '../parts/segments.tsx'
import { queryClient } from '../query-client.ts'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { LeaveGuard } from '../shell/leave-guard.tsx'
import { useAction } from '../shell/use-action.ts'
import { crumbs } from './crumbs.ts'
import { segmentsQuery } from './queries.ts'
import { SegmentsPage } from './segments-page.tsx'
import '../styles/studio.css'

type Props = { scope: 'user' | 'group'; given: string | undefined }

const SCOPES = ['user', 'group'] as const
const PLACES = { user: 'who', group: 'group' } as const

/** Each scope has its own: who looks at the other one finds the rule again, with rows that are not finished. */
type Rules = { user?: Condition | undefined; group?: Condition | undefined }

/** A name and a rule. The rule may come from the list of users or groups. */
export function NewSegmentPage({ scope: givenScope, given }: Props) {
  const { slug: environment } = useEnvironment()
  const navigate = useNavigate()
  const reason = useReason('createSegment')
  const [name, setName] = useState('')
  const [scope, setScope] = useState(givenScope)
  const [first] = useState<Rules>(() => ({ [givenScope]: conditionIn(given, PLACES[givenScope]) }))
  const [rules, setRules] = useState(first)
  const condition = rules[scope]
  const [unfinished, setUnfinished] = useState({ user: 0, group: 0 })
  const catalogue = useCatalogue(environment)
  const live = useCount(condition, scope)
  const create = useAction(async () => {
    const taken = catalogue.segments.map(({ key }) => key)
    const body = { key: keyOf(name, taken, 'segment'), name: name.trim(), scope, condition: condition as Condition }
    const { id } = await call('createSegment', { environment, ...body })
    await queryClient.invalidateQueries({ queryKey: segmentsQuery(environment).queryKey })
    await navigate({ to: '/$environment/segments/$segmentId', params: { environment, segmentId: id } })
  })
  const isChanged = rules.user !== first.user || rules.group !== first.group
  const lacks = !name.trim() ? 'Give it a name' : !condition ? 'Finish a row of the rule' : undefined
  return (
    <>
      <Bar crumbs={crumbs(environment)} current="New segment" />
      <LeaveGuard when={isChanged && !create.running} isUnsaved={isChanged} />
      <SegmentsPage>
        <form
          className="seg-new"
          onSubmit={(event) => {
            event.preventDefault()
            if (!lacks && !reason) void create.run()
          }}
        >
          <h2 className="title">New segment</h2>
          <div className="seg-name">
            <Field label="Name" autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />
            <Segments
              label="What it selects"
              value={scope}
              onChange={setScope}
              options={[
                { value: 'user', label: 'Users' },
                { value: 'group', label: 'Groups' },
              ]}
            />
          </div>
          <Sentence condition={condition} otherwise="Add a condition to say who is in it" />
          {SCOPES.map((each) => (
            <div key={each} hidden={each !== scope}>
              <Builder
                label="Rule of the new segment"
                condition={rules[each]}
                place={PLACES[each]}
                catalogue={catalogue}
                counted={each === scope ? live.counted : undefined}
                isOld={live.isOld}
                onChange={(next) => setRules((now) => ({ ...now, [each]: next }))}
                onUnfinished={(rows) => setUnfinished((now) => ({ ...now, [each]: rows }))}
              />
            </div>
          ))}
          {condition && live.asked && <CountCard live={live} scope={scope} />}
          {create.problem && (
            <p className="problem-text" role="alert">
              {create.problem}
            </p>
          )}
          <Button
            kind="primary"
            type="submit"
            reason={reason ?? lacks ?? (unfinished[scope] > 0 ? 'A row is not finished' : undefined)}
            busy={create.running && 'Creating…'}
          >
            Create segment
          </Button>
        </form>
      </SegmentsPage>
    </>
  )
}

function conditionIn(text: string | undefined, place: 'who' | 'group'): Condition | undefined {
  const read = text === undefined ? undefined : readCondition(text, place)
  return typeof read === 'object' ? read.condition : undefined
}
