import { useRef } from 'react'
import type { Target } from '../../contract/content/document.ts'
import { useContent } from '../content/use-draft.ts'
import { useInPlaceActs } from '../content/use-in-place-acts.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Choice } from './choice.tsx'
import { ItemActs } from './item-acts.tsx'
import { moved, removed, replaced } from './list-edits.ts'
import { TargetHealth } from './target-health.tsx'
import { TextField } from './text-field.tsx'

type Props = {
  target: Target
  about: string
  /** The key of the step; a launcher has none. */
  step?: string
  /** What pages tell of it is found by this, where it is no step. */
  healthOf?: string
  onChange: (name: string, target: Target, field?: string) => void
}

const SIDES = [
  { value: 'auto', label: 'Where there is room' },
  { value: 'right', label: 'Right, if there is room' },
  { value: 'left', label: 'Left, if there is room' },
  { value: 'top', label: 'Above, if there is room' },
  { value: 'bottom', label: 'Below, if there is room' },
] as const satisfies { value: NonNullable<Target['placement']>; label: string }[]

const MISSING = [
  { value: 'wait', label: 'Keep looking' },
  { value: 'skip', label: 'Skip the step' },
  { value: 'center', label: 'Show it in the middle' },
  { value: 'end', label: 'End it' },
] as const satisfies { value: NonNullable<Target['on_missing']>; label: string }[]

/** The element that it is attached to: locators, best first. */
export function TargetSection({ target, about, step, healthOf = step, onChange }: Props) {
  const { reason } = useContent()
  const inPlace = useInPlaceActs()
  const { locators } = target
  const put = (name: string, next: string[], field?: string) => onChange(name, { ...target, locators: next }, field)
  const first = locators[0]
  const section = useRef<HTMLElement>(null)
  const add = () => {
    put(`add a locator to ${about}`, [...locators, locators.length === 0 ? 'testid=' : 'css='])
    requestAnimationFrame(() => {
      const field = [...(section.current?.querySelectorAll<HTMLInputElement>('.locator input') ?? [])].at(-1)
      field?.focus()
      field?.setSelectionRange(field.value.length, field.value.length)
    })
  }
  return (
    <section ref={section}>
      <div className="sec">
        <h2 className="h2">Attached to</h2>
        <span className="end">
          <Button small icon="target" reason={inPlace.reason} onClick={() => inPlace.open({ purpose: 'pick', step })}>
            Pick
          </Button>
        </span>
      </div>
      {locators.map((locator, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: locators have no other key
        <div key={index} className="locator">
          <TextField
            isQuiet
            isMono
            label={`Locator ${index + 1}`}
            placeholder="testid=…, role=button[name=&quot;…&quot;], text=…, css=…"
            value={locator}
            onChange={(next) =>
              put(`change the element of ${about}`, replaced(locators, index, next), `locator.${index}`)
            }
          />
          {!reason && (
            <ItemActs
              earlier={`Try locator ${index + 1} earlier`}
              remove={`Remove locator ${index + 1}`}
              onEarlier={
                index > 0 ? () => put(`reorder the locators of ${about}`, moved(locators, index, index - 1)) : undefined
              }
              onRemove={() => put(`remove a locator of ${about}`, removed(locators, index))}
            />
          )}
        </div>
      ))}
      {!reason && locators.length < 10 && (
        <button type="button" className="chip add" onClick={add}>
          <Icon name="plus" />
          {locators.length === 0 ? 'Locator' : 'Another, tried after these'}
        </button>
      )}
      {first && <TargetHealth step={healthOf} locators={locators} />}
      <Choice
        label="Side"
        options={[...SIDES]}
        value={target.placement ?? 'auto'}
        onChange={(placement) => onChange(`change the side of ${about}`, { ...target, placement })}
      />
      <Choice
        label="If missing"
        options={[...MISSING]}
        value={target.on_missing ?? 'wait'}
        onChange={(on_missing) => onChange(`change what ${about} does without its element`, { ...target, on_missing })}
      />
      <TextField
        isMono
        label="After"
        value={target.timeout ?? ''}
        placeholder="8s"
        onChange={(timeout) =>
          onChange(`change how long ${about} looks`, withTimeout(target, timeout), 'target-timeout')
        }
      />
    </section>
  )
}

function withTimeout({ timeout: _, ...rest }: Target, timeout: string): Target {
  return timeout === '' ? rest : { ...rest, timeout: timeout as NonNullable<Target['timeout']> }
}
