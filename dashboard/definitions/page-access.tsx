import { Facts } from '../parts/facts.tsx'
import { Section } from '../parts/panel.tsx'
import { Select } from '../parts/select.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { type AttributeEdit, changeAttributeDefinition } from './changes.ts'
import type { AttributeDefinition } from './queries.ts'

const WRITERS = [
  { value: 'back_end', label: 'The back end only' },
  { value: 'anyone', label: 'The back end and pages' },
] satisfies { value: AttributeDefinition['written_by']; label: string }[]

const SHOWN = [
  { value: 'no', label: 'Only for verified users' },
  { value: 'yes', label: 'For everybody' },
] satisfies { value: string; label: string }[]

/** What pages of the application may do with an attribute. */
export function PageAccess({ definition }: { definition: AttributeDefinition }) {
  const { slug } = useEnvironment()
  const reason = useReason('updateAttributeDefinition')
  const { run, running, problem } = useAction((edit: AttributeEdit) =>
    changeAttributeDefinition(slug, definition.id, edit),
  )
  const isFixed = reason !== undefined || running
  return (
    <Section title="In pages">
      <Facts>
        {[
          [
            'Written by',
            <Select
              key="written"
              label="Written by"
              options={WRITERS}
              value={definition.written_by}
              disabled={isFixed}
              onChange={(written_by) => void run({ written_by })}
            />,
          ],
          [
            'Shown in content',
            <Select
              key="shown"
              label="Shown in content"
              options={SHOWN}
              value={definition.shown_unverified ? 'yes' : 'no'}
              disabled={isFixed}
              onChange={(value) => void run({ shown_unverified: value === 'yes' })}
            />,
          ],
        ]}
      </Facts>
      <p className="t3 s12">
        {reason ??
          'Anybody can read the public token of a page and say to be any user. What is shown for everybody can be read by everybody.'}
      </p>
      {problem && (
        <p className="problem-text" role="alert">
          {problem}
        </p>
      )}
    </Section>
  )
}
