import type { ReactNode } from 'react'
import type { InsideChoice } from '../../contract/requests/content.ts'
import { ChangeList } from '../content/change-list.tsx'
import { useDraft } from '../content/use-draft.ts'
import { roughly } from '../format/duration.ts'
import { counted } from '../format/number.ts'
import { Icon } from '../parts/icon.tsx'
import { PlaceLink } from './place-link.tsx'
import { placeWords, problemWords } from './places.ts'
import type { Plan } from './queries.ts'
import { Reached, Totals } from './reached.tsx'

type Props = {
  plan: Plan
  inside: InsideChoice
  onInside: (inside: InsideChoice) => void
}

export function PlanBody({ plan, inside, onInside }: Props) {
  const { document } = useDraft()
  return (
    <>
      {plan.problems.length > 0 && (
        <ul className="blockers" aria-label="Problems">
          {plan.problems.map(({ param, message }) => (
            <li key={param + message}>
              <Icon name="alert" />
              <span>
                <b>{placeWords(document, param)}</b>
                <span className="break">{problemWords(param, message)}</span>
              </span>
              <PlaceLink param={param} />
            </li>
          ))}
        </ul>
      )}
      <Part title="What changes" count={String(plan.changes.length)}>
        {plan.changes.length === 0 ? (
          <p className="t2">Nothing: it is what users see.</p>
        ) : (
          <ChangeList changes={plan.changes} />
        )}
      </Part>
      <Part title="Who it reaches" count={<Totals />}>
        <div className="two">
          <Reached kind="gains" reached={plan.gains} />
          <Reached kind="losses" reached={plan.losses} />
        </div>
      </Part>
      {plan.published_number !== null && plan.published_number !== plan.number && (
        <Part title={`In the middle of version ${plan.published_number}`} count={counted(plan.inside, 'run')}>
          <Inside plan={plan} inside={inside} onInside={onInside} />
        </Part>
      )}
      {plan.warnings.length > 0 && (
        <Part title="Good to know" count={String(plan.warnings.length)}>
          <ul className="notes">
            {plan.warnings.map(({ param, message }) => (
              <li key={param + message}>
                <Icon name="alert" />
                <span>
                  {placeWords(document, param)}: {message}.
                </span>
                <PlaceLink param={param} isNote />
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  )
}

const Part = ({ title, count: figure, children }: { title: string; count: ReactNode; children: ReactNode }) => (
  <section>
    <h3>
      {title} <span className="c t3">{figure}</span>
    </h3>
    {children}
  </section>
)

function Inside({ plan, inside, onInside }: Pick<Props, 'plan' | 'inside' | 'onInside'>) {
  const oldest = plan.oldest_inside_at ? roughly(Date.now() - Date.parse(plan.oldest_inside_at)) : undefined
  const choices: [InsideChoice, string, string][] = [
    [
      'finish',
      `They finish version ${plan.published_number}`,
      oldest ? `The oldest run began ${oldest} ago` : 'Nobody',
    ],
    [
      'restart',
      `They begin again with version ${plan.number}`,
      `${counted(plan.inside, 'run begins', 'runs begin')} again`,
    ],
    ['end', 'It ends for them', `${counted(plan.inside, 'run ends', 'runs end')} at once`],
    [
      'restart_all',
      'They begin again, and so does everybody who completed it',
      `${counted(plan.completed, 'user')} more, if they match`,
    ],
  ]
  return (
    <fieldset className="two four" aria-label="Those who are in the middle of it">
      {choices.map(([value, label, note]) => (
        <label key={value} className="choice">
          <input type="radio" name="inside" checked={inside === value} onChange={() => onInside(value)} />
          <span>
            {label}
            <small>{note}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
