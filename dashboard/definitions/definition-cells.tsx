import type { ReactNode } from 'react'
import { EditableText } from '../parts/editable-text.tsx'
import { Absent } from '../parts/facts.tsx'
import { Spark } from '../parts/spark.tsx'
import { Time } from '../parts/time.tsx'

type Definition = {
  name: string
  display_name: string
  description: string
  last_seen_at: string | null
  days: { values: number[] }
}
export type Save = (edit: { display_name?: string; description?: string }) => Promise<void>

/** The display name, which can be edited, over the name as it is stored. */
export function NameCell({
  definition,
  link,
  save,
  reason,
}: {
  definition: Definition
  link: ReactNode
  save: Save
  reason: string | undefined
}) {
  return (
    <div className="two-lines">
      <EditableText
        strong
        label="display name"
        placeholder={definition.name}
        value={definition.display_name}
        reason={reason}
        onSave={(display_name) => save({ display_name })}
      />
      {link}
    </div>
  )
}

export const DescriptionCell = ({
  definition,
  save,
  reason,
}: {
  definition: Definition
  save: Save
  reason: string | undefined
}) => (
  <EditableText
    label={`description of ${definition.name}`}
    placeholder={reason ? '–' : 'Add a description'}
    value={definition.description}
    reason={reason}
    onSave={(description) => save({ description })}
  />
)

export const DaysCell = ({ definition }: { definition: Definition }) => <Spark values={definition.days.values} />

export const LastSeen = ({ at }: { at: string | null }) => (at ? <Time at={at} as="activity" plain /> : <Absent />)
