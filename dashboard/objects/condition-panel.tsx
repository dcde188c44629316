import { Link } from '@tanstack/react-router'
import type { Condition } from '../../contract/conditions/condition.ts'
import { Builder } from '../conditions/builder.tsx'
import { useCatalogue } from '../conditions/catalogue.ts'
import { CountCard } from '../conditions/count-card.tsx'
import { useCount } from '../conditions/use-count.ts'
import { Button, buttonClass } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import type { Collection } from './queries.ts'

type Props = {
  kind: Collection
  condition: Condition | undefined
  onChange: (condition: Condition | undefined) => void
  onClose: () => void
}

/** The condition of a list, as rows. It can be saved as a segment. */
export function ConditionPanel({ kind, condition, onChange, onClose }: Props) {
  const { slug: environment } = useEnvironment()
  const scope = kind === 'users' ? 'user' : 'group'
  const catalogue = useCatalogue(environment)
  const live = useCount(condition, scope)
  const reason = useReason('createSegment')
  return (
    <section className="condition-panel" aria-label="Filter">
      <Builder
        label={`Filter of the ${kind}`}
        condition={condition}
        place={scope === 'user' ? 'who' : 'group'}
        catalogue={catalogue}
        counted={live.counted}
        isOld={live.isOld}
        onChange={onChange}
      />
      {condition && <CountCard live={live} scope={scope} />}
      <div className="panel-acts">
        {condition && !reason && (
          <Link
            className={buttonClass()}
            to="/$environment/segments/new"
            params={{ environment }}
            search={{ scope, condition: JSON.stringify(condition) }}
          >
            <Icon name="segments" />
            Save as segment
          </Link>
        )}
        <Button kind="quiet" onClick={onClose}>
          {condition ? 'Clear the filter' : 'Close'}
        </Button>
      </div>
    </section>
  )
}
