import { EditableText } from '../parts/editable-text.tsx'
import { Facts } from '../parts/facts.tsx'
import { Time } from '../parts/time.tsx'
import type { Definition, Edit } from './definition-columns.tsx'

/** Display name, description and first sight of a definition. */
export function DefinitionHead({
  definition,
  save,
  reason,
}: {
  definition: Definition
  save: (edit: Edit) => Promise<void>
  reason: string | undefined
}) {
  return (
    <div className="mb-24 definition">
      <Facts>
        {[
          [
            'Display name',
            <EditableText
              key="name"
              label="display name"
              placeholder={definition.name}
              value={definition.display_name}
              reason={reason}
              onSave={(display_name) => save({ display_name })}
            />,
          ],
          [
            'Description',
            <EditableText
              key="about"
              label="description"
              placeholder="Add a description"
              value={definition.description}
              reason={reason}
              onSave={(description) => save({ description })}
            />,
          ],
          ['First received', <Time key="first" at={definition.created_at} />],
          [
            'Last received',
            definition.last_seen_at ? <Time key="last" at={definition.last_seen_at} as="activity" /> : '–',
          ],
        ]}
      </Facts>
    </div>
  )
}
