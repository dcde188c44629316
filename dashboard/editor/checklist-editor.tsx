import { Link } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import type { ChecklistDocument, ContentDocument, Task } from '../../contract/content/document.ts'
import { KindGlyph } from '../content/kinds.tsx'
import { useContent, useDraft } from '../content/use-draft.ts'
import { Icon } from '../parts/icon.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { useAddress } from '../shell/use-address.ts'
import { Choice, Tick } from './choice.tsx'
import { DoneBy } from './done-by.tsx'
import { EditFrame } from './edit-frame.tsx'
import { copiedKey, freshKey, inserted, moved, removed, replaced } from './list-edits.ts'
import { Picture } from './picture.tsx'
import { TaskInspector } from './task-inspector.tsx'
import { TextField } from './text-field.tsx'

type Search = { step?: string | undefined; at?: number | undefined }

const MOST = 10

/** The tasks of a checklist, and the settings of the whole. */
export function ChecklistEditor({ checklist }: { checklist: ChecklistDocument }) {
  const [search, setSearch] = useAddress<Search>()
  const { edit, reason, problems } = useDraft()
  const { slug: environment } = useEnvironment()
  const { detail } = useContent()
  const { tasks } = checklist
  const index = Math.max(
    0,
    tasks.findIndex(({ key }) => key === search.step),
  )
  const task = tasks[index]
  const choose = (key: string | undefined) => setSearch({ ...search, step: key }, true)
  const put = (name: string, change: Partial<ChecklistDocument>, field?: string) =>
    edit(name, (now) => ({ ...now, ...change }) as ContentDocument, field)
  const putTasks = (name: string, next: Task[], field?: string) => put(name, { tasks: next }, field)
  const add = () => {
    const key = freshKey(tasks, 'task')
    putTasks('add a task', [...tasks, { key, name: '' }])
    choose(key)
  }
  function press(event: KeyboardEvent, at: number) {
    if (reason) return
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (event.altKey && step !== 0) {
      event.preventDefault()
      putTasks(`move task ${at + 1}`, moved(tasks, at, at + step))
    } else if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'd' && tasks.length < MOST) {
      event.preventDefault()
      const copy = { ...(tasks[at] as Task), key: copiedKey(tasks, tasks[at]?.key ?? 'task') }
      putTasks(`duplicate task ${at + 1}`, inserted(tasks, at + 1, copy))
    } else if (event.key === 'Backspace' || event.key === 'Delete') {
      event.preventDefault()
      putTasks(`delete task ${at + 1}`, removed(tasks, at))
    }
  }
  return (
    <EditFrame>
      <nav className="story" aria-label="Tasks">
        <div className="sec">
          <h2 className="h2">Tasks</h2>
          <span className="c">{tasks.length}</span>
          <span className="end t2 s12">done by</span>
        </div>
        <ol>
          {tasks.map((one, at) => {
            const problem = problems.find(({ param }) => param.startsWith(`tasks[${at}]`))
            return (
              <li key={one.key}>
                <Link
                  className={at === index ? 'st on' : 'st'}
                  to="/$environment/content/$contentId/steps"
                  params={{ environment, contentId: detail.id }}
                  search={(before) => ({ ...before, step: one.key }) as never}
                  resetScroll={false}
                  aria-current={at === index ? 'step' : undefined}
                  onKeyDown={(event) => press(event, at)}
                >
                  <KindGlyph icon="check" />
                  <span className="min-w-0">
                    <b className="clip" dir="auto">
                      <span className="nr">{at + 1}</span> {one.name || 'Without a name'}
                    </b>
                    <small className={problem ? 'clip bad-t' : 'clip'}>
                      {problem?.message ?? (one.complete_when ? 'Ticks itself off' : 'Done by a click')}
                    </small>
                  </span>
                  {problem ? <Icon name="alert" className="mk" /> : <DoneBy task={one.key} />}
                </Link>
              </li>
            )
          })}
        </ol>
        {!reason && tasks.length < MOST && (
          <div className="addrow">
            <button type="button" className="chip add" onClick={add}>
              <Icon name="plus" />
              Task
            </button>
          </div>
        )}
        <div className="story-set">
          <h2 className="h2">The list</h2>
          <TextField
            isLong
            label="Text"
            value={checklist.text ?? ''}
            onChange={(text) => put('change the text of the list', { text }, 'text')}
          />
          <Choice
            label="Place"
            options={[
              { value: 'bottom_right', label: 'Below right' },
              { value: 'bottom_left', label: 'Below left' },
            ]}
            value={checklist.position ?? 'bottom_right'}
            onChange={(position) => put('move the list', { position })}
          />
          <Tick
            label="Open at first"
            checked={checklist.starts_open ?? false}
            onChange={(starts_open) => put('change how the list begins', { starts_open })}
          />
          <Tick
            label="Users can hide it for good"
            checked={checklist.dismissible ?? true}
            onChange={(dismissible) => put('change whether the list can be hidden', { dismissible })}
          />
        </div>
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
          onRemove={() => putTasks(`delete task ${index + 1}`, removed(tasks, index))}
        />
      ) : (
        <aside className="insp" aria-label="Inspector" />
      )}
    </EditFrame>
  )
}
