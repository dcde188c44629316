import type { ChecklistDocument, Task } from '../../contract/content/document.ts'
import { useContent } from '../content/use-draft.ts'
import { ActionsEditor } from './actions-editor.tsx'
import { ConditionField } from './condition-field.tsx'
import { PartMenu } from './part-menu.tsx'
import { TextField } from './text-field.tsx'

type Props = {
  task: Task
  number: number
  document: ChecklistDocument
  onChange: (name: string, task: Task, field?: string) => void
  onMove: (by: 1 | -1) => void
  /** Undefined: there may be no more. */
  onDuplicate: (() => void) | undefined
  onRemove: () => void
}

/** The chosen task: what it says, when it is done, what its button does, and who sees it. */
export function TaskInspector({ task, number, document, onChange, ...acts }: Props) {
  const { reason } = useContent()
  const about = `task ${number}`
  const put = (name: string, change: Partial<Task>, field?: string) =>
    onChange(name, withoutEmpty({ ...task, ...change }), field)
  return (
    <aside className="insp" aria-label={`Task ${number}`}>
      <section>
        <div className="sec">
          <h2 className="h2">Task {number}</h2>
          {!reason && (
            <span className="end">
              <PartMenu
                {...acts}
                label={`Actions of task ${number}`}
                isFirst={number === 1}
                isLast={number === document.tasks.length}
              />
            </span>
          )}
        </div>
        <TextField
          label="Title"
          maxLength={100}
          value={task.name}
          onChange={(name) => onChange(`change the title of ${about}`, { ...task, name }, 'name')}
        />
        <TextField
          isLong
          label="Text"
          maxLength={2000}
          value={task.text ?? ''}
          onChange={(text) => put(`change the text of ${about}`, { text }, 'text')}
        />
      </section>
      <section>
        <div className="sec">
          <h2 className="h2">Done when</h2>
        </div>
        <ConditionField
          label="Done when"
          empty="It is done when it is clicked."
          condition={task.complete_when}
          onChange={(condition) =>
            onChange(`change when ${about} is done`, withCondition(task, 'complete_when', condition), 'done')
          }
        />
      </section>
      <section>
        <div className="sec">
          <h2 className="h2">Button</h2>
        </div>
        <TextField
          label="Label"
          maxLength={60}
          value={task.button ?? ''}
          onChange={(button) => put(`change the button of ${about}`, { button }, 'button')}
        />
        <ActionsEditor
          actions={task.do ?? []}
          document={document}
          onChange={(actions, field) => onChange(`change what ${about} does`, { ...task, do: actions }, field)}
        />
      </section>
      <section>
        <div className="sec">
          <h2 className="h2">Shown only to</h2>
        </div>
        <ConditionField
          label="Shown only to"
          empty="Everybody who sees the list."
          condition={task.visible_when}
          onChange={(condition) =>
            onChange(`change who sees ${about}`, withCondition(task, 'visible_when', condition), 'visible')
          }
        />
      </section>
    </aside>
  )
}

/** A text that was emptied is left out. */
function withoutEmpty(task: Task): Task {
  const { text, button, ...rest } = task
  return { ...rest, ...(text ? { text } : {}), ...(button ? { button } : {}) }
}

function withCondition(task: Task, name: 'complete_when' | 'visible_when', condition: Task['complete_when']): Task {
  const { [name]: _, ...rest } = task
  return condition ? { ...rest, [name]: condition } : rest
}
