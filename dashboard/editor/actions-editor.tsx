import type { Action, ContentDocument } from '../../contract/content/document.ts'
import { stepTitle } from '../../contract/content/step-title.ts'
import { useContent } from '../content/use-draft.ts'
import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { Choice } from './choice.tsx'
import { removed, replaced } from './list-edits.ts'
import { StartChoice } from './start-choice.tsx'
import { TextField } from './text-field.tsx'
import { ValueField } from './value-field.tsx'

type Props = {
  actions: readonly Action[]
  document: ContentDocument
  onChange: (actions: Action[], field?: string) => void
}

const KINDS = ['next', 'previous', 'go_to', 'end', 'open', 'start', 'set', 'track'] as const
type Kind = (typeof KINDS)[number]

const LABELS: Record<Kind, string> = {
  next: 'Go on',
  previous: 'Go back',
  go_to: 'Go to a step',
  end: 'End it',
  open: 'Open a page',
  start: 'Start content',
  set: 'Set an attribute',
  track: 'Track an event',
}

/** Only a flow has steps to go to. */
const kindsFor = ({ type }: ContentDocument): readonly Kind[] =>
  type === 'flow' ? KINDS : KINDS.filter((kind) => !['next', 'previous', 'go_to'].includes(kind))

const MOST = 5

/** What happens, in this order. */
export function ActionsEditor({ actions, document, onChange }: Props) {
  const { reason } = useContent()
  const kinds = kindsFor(document)
  return (
    <div className="stack">
      {actions.map((action, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: actions have no other key
        <div key={index} className="action">
          <Choice
            label={`Action ${index + 1}`}
            options={kinds.map((value) => ({ value, label: LABELS[value] }))}
            value={kindOf(action)}
            onChange={(kind) => onChange(replaced(actions, index, newAction(kind, document)))}
          />
          <ActionFields
            action={action}
            document={document}
            onChange={(next, field) => onChange(replaced(actions, index, next), `action.${index}.${field}`)}
          />
          {!reason && (
            <IconButton
              small
              icon="x"
              label={`Remove action ${index + 1}`}
              onClick={() => onChange(removed(actions, index))}
            />
          )}
        </div>
      ))}
      {!reason && actions.length < MOST && (
        <button
          type="button"
          className="chip add"
          onClick={() => onChange([...actions, newAction(document.type === 'flow' ? 'next' : 'open', document)])}
        >
          <Icon name="plus" />
          Action
        </button>
      )}
    </div>
  )
}

const kindOf = (action: Action): Kind => KINDS.find((kind) => kind in action) as Kind

function newAction(kind: Kind, document: ContentDocument): Action {
  switch (kind) {
    case 'next':
      return { next: true }
    case 'previous':
      return { previous: true }
    case 'go_to':
      return { go_to: document.type === 'flow' ? (document.steps[0]?.key ?? '') : '' }
    case 'end':
      return { end: 'completed' }
    case 'open':
      return { open: '/' }
    case 'start':
      return { start: '' }
    case 'set':
      return { set: '', value: true }
    case 'track':
      return { track: '' }
  }
}

type FieldsProps = { action: Action; document: ContentDocument; onChange: (action: Action, field: string) => void }

function ActionFields({ action, document, onChange }: FieldsProps) {
  if ('go_to' in action && document.type === 'flow')
    return (
      <Choice
        label="Step"
        options={document.steps.map((step, index) => ({ value: step.key, label: `${index + 1} ${stepTitle(step)}` }))}
        value={action.go_to}
        placeholder="Choose a step"
        onChange={(go_to) => onChange({ go_to }, 'go_to')}
      />
    )
  if ('end' in action)
    return (
      <Choice
        label="As"
        options={[
          { value: 'completed', label: 'Completed' },
          { value: 'dismissed', label: 'Dismissed' },
        ]}
        value={action.end}
        onChange={(end) => onChange({ end }, 'end')}
      />
    )
  if ('open' in action)
    return (
      <>
        <TextField
          isMono
          label="Address"
          value={action.open}
          onChange={(open) => onChange({ ...action, open }, 'open')}
        />
        <Choice
          label="In"
          options={[
            { value: 'same', label: 'The same tab' },
            { value: 'new', label: 'A new tab' },
          ]}
          value={action.in ?? 'same'}
          onChange={(where) => onChange({ ...action, in: where }, 'in')}
        />
      </>
    )
  if ('start' in action)
    return <StartChoice value={action.start} own={document.key} onChange={(start) => onChange({ start }, 'start')} />
  if ('track' in action)
    return (
      <TextField
        isMono
        label="Event"
        value={action.track}
        onChange={(track) => onChange({ ...action, track }, 'track')}
      />
    )
  if ('set' in action)
    return (
      <>
        <TextField
          isMono
          label="Attribute"
          value={action.set}
          onChange={(set) => onChange({ ...action, set }, 'set')}
        />
        <ValueField value={action.value} onChange={(value) => onChange({ ...action, value }, 'value')} />
      </>
    )
  return null
}
