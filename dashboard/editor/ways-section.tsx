import type { Advance, FlowDocument } from '../../contract/content/document.ts'
import { stepTitle } from '../../contract/content/step-title.ts'
import { useContent } from '../content/use-draft.ts'
import { Icon } from '../parts/icon.tsx'
import { Choice } from './choice.tsx'
import { ConditionField } from './condition-field.tsx'
import { ItemActs } from './item-acts.tsx'
import { moved, removed, replaced } from './list-edits.ts'

type Props = {
  flow: FlowDocument
  ways: readonly Advance[]
  hasTarget: boolean
  title: string
  about: string
  onChange: (name: string, ways: Advance[], field?: string) => void
}

const MOST = 10

const ON = [
  { value: 'target_click', label: 'Element clicked' },
  { value: 'target_input', label: 'Element filled' },
  { value: 'condition', label: 'Condition holds' },
  { value: 'otherwise', label: 'Otherwise' },
] as const satisfies { value: Advance['on']; label: string }[]

/** The ways on: the first that holds. */
export function WaysSection({ flow, ways, hasTarget, title, about, onChange }: Props) {
  const { reason } = useContent()
  const kinds = ON.filter(({ value }) =>
    hasTarget ? value !== 'otherwise' : value === 'condition' || value === 'otherwise',
  )
  const fresh: Advance = hasTarget ? { on: 'target_click' } : { on: 'otherwise' }
  return (
    <section>
      <div className="sec">
        <h2 className="h2">{title}</h2>
        <span className="end t3 s12">the first that holds</span>
      </div>
      {ways.map((way, index) => {
        const put = (next: Advance, field?: string) =>
          onChange(`change a way of ${about}`, replaced(ways, index, next), field && `way.${index}.${field}`)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: ways have no other key
          <div key={index} className="act">
            <div className="stack">
              <Choice
                label={`Way ${index + 1}`}
                options={kinds}
                value={way.on}
                onChange={(on) => put(asWay(way, on))}
              />
              {way.on === 'condition' && (
                <ConditionField
                  label={`Condition of way ${index + 1}`}
                  condition={way.condition}
                  onChange={(condition) => put({ ...way, condition: condition ?? { all: [] } }, 'condition')}
                />
              )}
              <Choice
                label="Goes to"
                options={goalsOf(flow)}
                value={goalOf(way)}
                placeholder="No step"
                onChange={(goal) => put(withGoal(way, goal))}
              />
              {!reason && (
                <span className="btns">
                  <ItemActs
                    earlier={`Ask way ${index + 1} earlier`}
                    remove={`Remove way ${index + 1}`}
                    onEarlier={
                      index > 0
                        ? () => onChange(`reorder the ways of ${about}`, moved(ways, index, index - 1))
                        : undefined
                    }
                    onRemove={() => onChange(`remove a way of ${about}`, removed(ways, index))}
                  />
                </span>
              )}
            </div>
          </div>
        )
      })}
      {!reason && ways.length < MOST && (
        <button type="button" className="chip add" onClick={() => onChange(`add a way to ${about}`, [...ways, fresh])}>
          <Icon name="plus" />
          Way
        </button>
      )}
    </section>
  )
}

const NEXT = '→'
const COMPLETED = '✓'
const DISMISSED = '✕'

function goalsOf({ steps }: FlowDocument) {
  return [
    { value: NEXT, label: 'The next step' },
    ...steps.map((step, index) => ({ value: step.key, label: `${index + 1} ${stepTitle(step)}` })),
    { value: COMPLETED, label: 'Completed' },
    { value: DISMISSED, label: 'The end' },
  ]
}

const goalOf = ({ to, end }: Advance): string => (end ? (end === 'completed' ? COMPLETED : DISMISSED) : (to ?? NEXT))

function withGoal({ to: _, end: __, ...way }: Advance, goal: string): Advance {
  if (goal === COMPLETED) return { ...way, end: 'completed' } as Advance
  if (goal === DISMISSED) return { ...way, end: 'dismissed' } as Advance
  return (goal === NEXT ? way : { ...way, to: goal }) as Advance
}

function asWay({ to, end }: Advance, on: Advance['on']): Advance {
  const goal = { ...(to === undefined ? {} : { to }), ...(end === undefined ? {} : { end }) }
  return on === 'condition' ? { ...goal, on, condition: { all: [] } } : { ...goal, on }
}
