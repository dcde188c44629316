import type { FlowDocument, HiddenStep, Step } from '../../contract/content/document.ts'
import { stepTitle } from '../../contract/content/step-title.ts'
import { Choice } from './choice.tsx'
import { ConditionField } from './condition-field.tsx'
import { TextField } from './text-field.tsx'
import { WaysSection } from './ways-section.tsx'

type Props = {
  flow: FlowDocument
  step: HiddenStep
  about: string
  onChange: (name: string, step: Step, field?: string) => void
}

/** A hidden step: what it waits for, where it then goes, and where when it takes too long. */
export function HiddenSections({ flow, step, about, onChange }: Props) {
  return (
    <>
      <section>
        <div className="sec">
          <h2 className="h2">Waits until</h2>
        </div>
        <ConditionField
          label="Waits until"
          condition={step.wait_until}
          onChange={(condition) => {
            const { wait_until: _, ...rest } = step
            onChange(`change what ${about} waits for`, condition ? { ...rest, wait_until: condition } : rest, 'wait')
          }}
        />
      </section>
      <WaysSection
        flow={flow}
        ways={step.advance}
        hasTarget={false}
        title="Then goes"
        about={about}
        onChange={(name, advance, field) => onChange(name, { ...step, advance }, field)}
      />
      <section>
        <div className="sec">
          <h2 className="h2">If it takes too long</h2>
        </div>
        <TextField
          isMono
          label="After"
          value={step.timeout.after}
          placeholder="60s"
          onChange={(after) =>
            onChange(
              `change how long ${about} waits`,
              { ...step, timeout: { ...step.timeout, after: after as HiddenStep['timeout']['after'] } },
              'after',
            )
          }
        />
        <Choice
          label="Goes to"
          options={flow.steps.map((one, index) => ({ value: one.key, label: `${index + 1} ${stepTitle(one)}` }))}
          value={flow.steps.some(({ key }) => key === step.timeout.to) ? step.timeout.to : null}
          placeholder="No step"
          onChange={(to) =>
            onChange(`change where ${about} goes after its time`, { ...step, timeout: { ...step.timeout, to } })
          }
        />
      </section>
    </>
  )
}
