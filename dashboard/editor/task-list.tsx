import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { Task } from '../../contract/content/document.ts'
import { limits } from '../../contract/limits.ts'
import { KindGlyph } from '../content/kinds.tsx'
import { useContent, useDraft } from '../content/use-draft.ts'
import { Icon } from '../parts/icon.tsx'
import { problemWords } from '../publication/places.ts'
import { useEnvironment } from '../session/use-session.ts'
import { DoneBy } from './done-by.tsx'
import { duplicated, freshKey, moved, removed } from './list-edits.ts'

type Props = {
  tasks: readonly Task[]
  /** Which one is open. */
  index: number
  onChange: (name: string, tasks: Task[]) => void
  onChoose: (key: string) => void
}

/** The tasks in their order. Keys move, duplicate and delete the one that has the focus. */
export function TaskList({ tasks, index, onChange, onChoose }: Props) {
  const { reason } = useDraft()
  const added = useRef<string | undefined>(undefined)
  // Who adds a task goes on with its title.
  useEffect(() => {
    if (added.current === undefined || tasks[index]?.key !== added.current) return
    added.current = undefined
    document.querySelector<HTMLElement>('.insp input')?.focus()
  }, [tasks, index])
  const add = () => {
    const key = freshKey(tasks, 'task')
    onChange('add a task', [...tasks, { key, name: '' }])
    onChoose(key)
    added.current = key
  }
  function press(event: KeyboardEvent, at: number) {
    if (reason) return
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (event.altKey && step !== 0) {
      event.preventDefault()
      onChange(`move task ${at + 1}`, moved(tasks, at, at + step))
    } else if (
      (event.metaKey || event.ctrlKey) &&
      event.key.toLowerCase() === 'd' &&
      tasks.length < limits.tasksPerChecklist
    ) {
      event.preventDefault()
      onChange(`duplicate task ${at + 1}`, duplicated(tasks, at))
    } else if (event.key === 'Backspace' || event.key === 'Delete') {
      event.preventDefault()
      onChange(`delete task ${at + 1}`, removed(tasks, at))
    }
  }
  return (
    <>
      <div className="sec">
        <h2 className="h2">Tasks</h2>
        <span className="c">{tasks.length}</span>
        <span className="end t2 s12">done by</span>
      </div>
      <ol>
        {tasks.map((task, at) => (
          <li key={task.key}>
            <TaskLink task={task} at={at} isOpen={at === index} onKeyDown={(event) => press(event, at)} />
          </li>
        ))}
      </ol>
      {!reason && tasks.length < limits.tasksPerChecklist && (
        <div className="addrow">
          <button type="button" className="chip add" onClick={add}>
            <Icon name="plus" />
            Task
          </button>
        </div>
      )}
    </>
  )
}

type LinkProps = { task: Task; at: number; isOpen: boolean; onKeyDown: (event: KeyboardEvent) => void }

function TaskLink({ task, at, isOpen, onKeyDown }: LinkProps) {
  const { problems } = useDraft()
  const { slug: environment } = useEnvironment()
  const { detail } = useContent()
  const problem = problems.find(({ param }) => param.startsWith(`tasks[${at}]`))
  return (
    <Link
      className={isOpen ? 'st on' : 'st'}
      to="/$environment/content/$contentId/steps"
      params={{ environment, contentId: detail.id }}
      search={(before) => ({ ...before, step: task.key }) as never}
      resetScroll={false}
      aria-current={isOpen ? 'step' : undefined}
      onKeyDown={onKeyDown}
    >
      <KindGlyph icon="check" />
      <span className="min-w-0">
        <b className="clip" dir="auto">
          <span className="nr">{at + 1}</span> {task.name || 'Without a name'}
        </b>
        <small className={problem ? 'clip bad-t' : 'clip'}>
          {problem
            ? problemWords(problem.param, problem.message)
            : task.complete_when
              ? 'Ticks itself off'
              : 'Done by a click'}
        </small>
      </span>
      {problem ? <Icon name="alert" className="mk" /> : <DoneBy task={task.key} />}
    </Link>
  )
}
