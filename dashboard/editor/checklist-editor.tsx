import type { ChecklistDocument, Task } from '../../contract/content/document.ts'
import { limits } from '../../contract/limits.ts'
import { useDraft } from '../content/use-draft.ts'
import { useAddress } from '../shell/use-address.ts'
import { ChecklistSettings } from './checklist-settings.tsx'
import { EditFrame } from './edit-frame.tsx'
import { duplicated, moved, removed, replaced } from './list-edits.ts'
import { Picture } from './picture.tsx'
import { TaskInspector } from './task-inspector.tsx'
import { TaskList } from './task-list.tsx'

type Search = { step?: string | undefined; at?: number | undefined }

/** The tasks of a checklist, and the settings of the whole. */
export function ChecklistEditor({ checklist }: { checklist: ChecklistDocument }) {
  const [search, setSearch] = useAddress<Search>()
  const { edit } = useDraft()
  const { tasks } = checklist
  const index = Math.max(
    0,
    tasks.findIndex(({ key }) => key === search.step),
  )
  const task = tasks[index]
  const choose = (key: string) => setSearch({ ...search, step: key }, true)
  const put = (name: string, change: Partial<ChecklistDocument>, field?: string) =>
    edit(name, (now) => withoutEmptyText({ ...(now as ChecklistDocument), ...change }), field)
  const putTasks = (name: string, next: Task[], field?: string) => put(name, { tasks: next }, field)
  return (
    <EditFrame>
      <nav className="story" aria-label="Tasks">
        <TaskList tasks={tasks} index={index} onChange={putTasks} onChoose={choose} />
        <ChecklistSettings checklist={checklist} onChange={put} />
      </nav>
      <Picture document={checklist} />
      {task ? (
        <TaskInspector
          key={task.key}
          task={task}
          number={index + 1}
          document={checklist}
          onChange={(name, next, field) =>
            putTasks(name, replaced(tasks, index, next), field && `${task.key}.${field}`)
          }
          onMove={(by) => {
            putTasks(`move task ${index + 1}`, moved(tasks, index, index + by))
            choose(task.key)
          }}
          onDuplicate={
            tasks.length < limits.tasksPerChecklist
              ? () => putTasks(`duplicate task ${index + 1}`, duplicated(tasks, index))
              : undefined
          }
          onRemove={() => putTasks(`delete task ${index + 1}`, removed(tasks, index))}
        />
      ) : (
        <aside className="insp" aria-label="Inspector" />
      )}
    </EditFrame>
  )
}

/** A text that was emptied is left out: what is there may not be empty. */
function withoutEmptyText(checklist: ChecklistDocument): ChecklistDocument {
  const { text: _, ...rest } = checklist
  return checklist.text === '' ? rest : checklist
}
