import type { FlowDocument, Step } from '../../contract/content/document.ts'
import { useDraft } from '../content/use-draft.ts'
import { Segments } from '../parts/segments.tsx'
import { BlocksSection } from './blocks-section.tsx'
import { ButtonsSection } from './buttons-section.tsx'
import { Tick } from './choice.tsx'
import { HiddenSections } from './hidden-sections.tsx'
import { PartMenu } from './part-menu.tsx'
import { asKind, takenQuestions } from './step-edits.ts'
import { TargetSection } from './target-section.tsx'
import { TextField } from './text-field.tsx'
import { WaysSection } from './ways-section.tsx'

type Props = {
  flow: FlowDocument
  step: Step
  number: number
  onChange: (name: string, step: Step, field?: string) => void
  onMove: (by: 1 | -1) => void
  /** Undefined: there may be no more. */
  onDuplicate: (() => void) | undefined
  onRemove: () => void
}

/** The chosen step: its kind, what it is attached to, what it shows, and how it leads on. */
export function StepInspector({ flow, step, number, onChange, onMove, onDuplicate, onRemove }: Props) {
  const { reason } = useDraft()
  const about = `step ${number}`
  return (
    <aside className="insp" aria-label={`Step ${number}`}>
      <section>
        <div className="sec">
          <h2 className="h2">Step {number}</h2>
          {!reason && (
            <span className="end">
              <PartMenu
                label={`Actions of step ${number}`}
                isFirst={number === 1}
                isLast={number === flow.steps.length}
                onMove={onMove}
                onDuplicate={onDuplicate}
                onRemove={onRemove}
              />
            </span>
          )}
        </div>
        <div className="prop">
          <span className="t2">Kind</span>
          <Segments
            label="Kind"
            options={[
              { value: 'tooltip', label: 'Tooltip' },
              { value: 'dialog', label: 'Dialog' },
              { value: 'hidden', label: 'Hidden' },
            ]}
            value={step.type}
            onChange={(type) => !reason && onChange(`make ${about} a ${type}`, asKind(flow, step, type))}
          />
        </div>
        <TextField
          label="Name"
          value={step.name ?? ''}
          placeholder={step.type === 'hidden' ? 'Wait' : 'The first heading'}
          maxLength={100}
          onChange={(name) => onChange(`name ${about}`, withName(step, name), 'name')}
        />
      </section>
      {step.type === 'hidden' ? (
        <HiddenSections flow={flow} step={step} about={about} onChange={onChange} />
      ) : (
        <>
          {step.type === 'tooltip' && (
            <TargetSection
              target={step.target}
              step={step.key}
              about={about}
              onChange={(name, target, field) => onChange(name, { ...step, target }, field)}
            />
          )}
          <BlocksSection
            blocks={step.blocks}
            about={about}
            taken={takenQuestions(flow)}
            canAsk
            onChange={(name, blocks, field) => onChange(name, { ...step, blocks }, field)}
          />
          <ButtonsSection
            buttons={step.buttons ?? []}
            document={flow}
            about={about}
            onChange={(name, buttons, field) => onChange(name, { ...step, buttons }, field)}
          />
          <WaysSection
            flow={flow}
            ways={step.advance ?? []}
            hasTarget={step.type === 'tooltip'}
            title="Goes on by itself"
            about={about}
            onChange={(name, advance, field) => onChange(name, { ...step, advance }, field)}
          />
          <section>
            <Tick
              label="Users can close it"
              checked={step.closable ?? true}
              onChange={(closable) => onChange(`change whether ${about} closes`, { ...step, closable })}
            />
          </section>
        </>
      )}
    </aside>
  )
}

function withName(step: Step, name: string): Step {
  const { name: _, ...rest } = step
  return (name === '' ? rest : { ...rest, name }) as Step
}
