import { useEffect } from 'react'
import type { ContentDocument, FlowDocument, Step } from '../../contract/content/document.ts'
import { limits } from '../../contract/limits.ts'
import { useDraft } from '../content/use-draft.ts'
import { useAddress } from '../shell/use-address.ts'
import { EditFrame } from './edit-frame.tsx'
import { replaced } from './list-edits.ts'
import { Picture } from './picture.tsx'
import { copyOfStep, newStep, withoutStep, withStep, withStepMoved, withTitle } from './step-edits.ts'
import { StepInspector } from './step-inspector.tsx'
import { type StoryActs, Storyline } from './storyline.tsx'

type Search = { step?: string | undefined; at?: number | undefined; as?: string | undefined }

/** The steps of a flow. `[` and `]` go to the step before and after. */
export function FlowEditor({ flow }: { flow: FlowDocument }) {
  const [search, setSearch] = useAddress<Search>()
  const { edit, reason } = useDraft()
  const found = flow.steps.findIndex(({ key }) => key === search.step)
  const index = found === -1 ? 0 : found
  const step = flow.steps[index]
  const isFull = flow.steps.length >= limits.stepsPerFlow
  const choose = (key: string | undefined, replace = false) => setSearch({ ...search, step: key }, replace)
  const inFlow = (change: (now: FlowDocument) => FlowDocument) => (now: ContentDocument) => change(now as FlowDocument)

  const acts: StoryActs = {
    choose,
    add: (type) => {
      const fresh = newStep(flow, type)
      edit(
        `add a ${type}`,
        inFlow((now) => withStep(now, index, fresh)),
      )
      choose(fresh.key)
    },
    duplicate: (at) => {
      if (isFull) return
      const copy = copyOfStep(flow, flow.steps[at] as Step)
      edit(
        `duplicate step ${at + 1}`,
        inFlow((now) => withStep(now, at, copy)),
      )
      choose(copy.key)
    },
    remove: (at) => {
      edit(
        `delete step ${at + 1}`,
        inFlow((now) => withoutStep(now, at)),
      )
      choose(flow.steps[at + 1]?.key ?? flow.steps[at - 1]?.key, true)
    },
    rename: (at, title) =>
      edit(
        `rename step ${at + 1}`,
        inFlow((now) => withTitle(now, at, title)),
      ),
    move: (from, to) =>
      edit(
        `move step ${from + 1}`,
        inFlow((now) => withStepMoved(now, from, to)),
      ),
  }
  const change = (name: string, next: Step, field?: string) =>
    edit(
      name,
      inFlow((now) => ({ ...now, steps: replaced(now.steps, index, next) })),
      field && `${step?.key}.${field}`,
    )
  useStepKeys((by) => choose(flow.steps[index + by]?.key ?? step?.key, true))
  return (
    <EditFrame>
      <Storyline flow={flow} chosen={index} acts={acts} isReadOnly={reason !== undefined} />
      <Picture document={flow} step={step} onChoose={(key) => choose(key, true)} onBlock={editBlock} />
      {step ? (
        <StepInspector
          key={step.key}
          flow={flow}
          step={step}
          number={index + 1}
          onChange={change}
          onMove={(by) => {
            acts.move(index, index + by)
            choose(step.key, true)
          }}
          onDuplicate={isFull ? undefined : () => acts.duplicate(index)}
          onRemove={() => acts.remove(index)}
        />
      ) : (
        <aside className="insp" aria-label="Inspector">
          <section>
            <p className="t2">There is no step. Add one on the left.</p>
          </section>
        </aside>
      )}
    </EditFrame>
  )
}

/** A text of the picture that was clicked is edited in its field. */
function editBlock(index: number): void {
  document.querySelector<HTMLElement>(`.insp [data-block="${index}"] :is(input, textarea)`)?.focus()
}

function useStepKeys(go: (by: 1 | -1) => void): void {
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const busy = (event.target as HTMLElement).closest('input, textarea, select, [role="dialog"], [role="listbox"]')
      if (busy || event.metaKey || event.ctrlKey || event.altKey) return
      if (event.key === '[') go(-1)
      if (event.key === ']') go(1)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}
