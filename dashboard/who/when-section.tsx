import { useState } from 'react'
import type { ContentDocument, When } from '../../contract/content/document.ts'
import { STANDARD_PRIORITY } from '../../contract/content/standard-when.ts'
import { DurationFields } from '../conditions/duration-fields.tsx'
import { Segments } from '../parts/segments.tsx'
import type { EditDocument } from './edit-document.ts'
import { OptionRow } from './option-row.tsx'
import { QuietChange } from './quiet-change.tsx'
import { frequencyChange, frequencyOf, hours, takesMost, typedNumber } from './when-words.ts'

type Props = {
  document: ContentDocument
  quietSeconds: number
  reason: string | undefined
  onEdit: EditDocument
}

/** How often, how long to wait, which goes first, and the quiet period. */
export function WhenSection({ document, quietSeconds, reason, onEdit }: Props) {
  const when = document.when ?? {}
  const isReadOnly = reason !== undefined
  const frequency = frequencyOf(document)
  const put = (name: string, change: Partial<Record<keyof When, unknown>>) =>
    onEdit(name, ({ when: before, ...rest }) => ({ ...rest, ...whenOf({ ...before, ...change }) }) as ContentDocument)
  return (
    <section className="wsec" aria-label="When">
      <header>
        <h2>When</h2>
      </header>
      <ul className="opt-rows">
        <OptionRow name="How often">
          <Segments
            label="How often"
            value={typeof frequency === 'object' ? 'every' : frequency}
            options={FREQUENCIES}
            onChange={(next) => !isReadOnly && put('Change how often', frequencyChange(next))}
          />
          {typeof frequency === 'object' && !isReadOnly && (
            <DurationFields
              value={frequency.every}
              onChange={(every) => put('Change how often', { frequency: { every } })}
            />
          )}
        </OptionRow>
        {(takesMost(frequency) || when.at_most !== undefined) && (
          <OptionRow name="At most">
            <NumberField
              label="At most so many times"
              value={when.at_most}
              most={1000}
              isReadOnly={isReadOnly}
              onChange={(at_most) => put('Change how often at most', { at_most })}
            />
            times. Empty: as often as it comes.
          </OptionRow>
        )}
        <OptionRow name="Wait">
          <NumberField
            label="Seconds to wait"
            value={secondsOf(when.wait)}
            most={86_400}
            isReadOnly={isReadOnly}
            onChange={(seconds) => put('Change the wait', { wait: seconds ? `${seconds}s` : undefined })}
          />
          seconds after the page is there
        </OptionRow>
        <OptionRow name="Priority">
          <NumberField
            label="Priority, 0 to 100"
            value={when.priority}
            unset={STANDARD_PRIORITY}
            most={100}
            isReadOnly={isReadOnly}
            onChange={(priority) => put('Change the priority', { priority })}
          />
          of 100. Of equal ones the one that was published earlier goes first.
        </OptionRow>
        {document.type === 'flow' && (
          <OptionRow name="Quiet period">
            <button
              type="button"
              role="switch"
              className="switch"
              aria-checked={!when.exempt_from_quiet}
              aria-disabled={isReadOnly || undefined}
              aria-label="Keep the quiet period"
              onClick={() =>
                !isReadOnly &&
                put('Change the quiet period', { exempt_from_quiet: when.exempt_from_quiet ? undefined : true })
              }
            />
            {quietSeconds > 0
              ? `keeps the ${hours(quietSeconds)} of this environment between two flows`
              : 'This environment has no quiet period between two flows.'}
            <QuietChange seconds={quietSeconds} />
          </OptionRow>
        )}
        <OptionRow name="One at a time">
          {document.type === 'flow'
            ? 'No other flow opens while this one is open. Checklists, banners and launchers do not count.'
            : 'It never keeps a flow from opening.'}
        </OptionRow>
      </ul>
    </section>
  )
}

const FREQUENCIES = [
  { value: 'once', label: 'Once' },
  { value: 'until_completed', label: 'Until completed' },
  { value: 'every', label: 'Every n days' },
  { value: 'always', label: 'Always' },
] as const satisfies { value: string; label: string }[]

const secondsOf = (wait: string | undefined) => {
  const [, figure, unit = 's'] = /^(\d+)([smhdw])$/.exec(wait ?? '') ?? []
  return figure ? Number(figure) * ({ s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }[unit] ?? 1) : undefined
}

/** What was emptied is left out, and with the last of it the whole: the draft is then the same as without it. */
function whenOf(when: object): object {
  const kept = Object.entries(when).filter(([, value]) => value !== undefined)
  return kept.length === 0 ? {} : { when: Object.fromEntries(kept) }
}

type NumberProps = {
  label: string
  value: number | undefined
  /** What counts without a value. */
  unset?: number
  most: number
  isReadOnly: boolean
  onChange: (value: number | undefined) => void
}

/** What is typed counts at once. More than the most is the most. It stays as it is typed until the field is left or the value is another. */
function NumberField({ label, value, unset, most, isReadOnly, onChange }: NumberProps) {
  const [typed, setTyped] = useState<string>()
  const isTyped = typed !== undefined && typedNumber(typed, most) === value
  return (
    <input
      className="input num-in"
      aria-label={label}
      inputMode="numeric"
      readOnly={isReadOnly}
      value={isTyped ? typed : String(value ?? unset ?? '')}
      onBlur={() => setTyped(undefined)}
      onChange={(event) => {
        const next = event.target.value.replace(/\D/g, '')
        setTyped(next)
        onChange(typedNumber(next, most))
      }}
    />
  )
}
