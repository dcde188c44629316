import { useId } from 'react'
import type { Condition } from '../../contract/conditions/condition.ts'
import { Builder } from '../conditions/builder.tsx'
import { useCatalogue } from '../conditions/catalogue.ts'
import { useContent } from '../content/use-draft.ts'
import { useEnvironment } from '../session/use-session.ts'

type Props = {
  label: string
  condition: Condition | undefined
  /** What it means that there is none. */
  empty?: string
  onChange: (condition: Condition | undefined) => void
}

/** A condition of the page, in the builder. */
export function ConditionField({ label, condition, empty = 'Nothing: it holds at once.', onChange }: Props) {
  const { slug } = useEnvironment()
  const { store, reason } = useContent()
  const id = useId()
  const catalogue = useCatalogue(slug)
  return (
    <>
      {!condition && <p className="t2">{empty}</p>}
      <Builder
        label={label}
        place="page"
        condition={condition}
        catalogue={catalogue}
        isReadOnly={reason !== undefined}
        onChange={onChange}
        onUnfinished={(rows) => store.noteUnfinished(id, rows)}
      />
    </>
  )
}
