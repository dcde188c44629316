import { useState } from 'react'
import type { ContentDocument, Button as DocumentButton } from '../../contract/content/document.ts'
import { limits } from '../../contract/limits.ts'
import { useNames } from '../conditions/use-names.ts'
import { useContent } from '../content/use-draft.ts'
import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { ActionsEditor } from './actions-editor.tsx'
import { Tick } from './choice.tsx'
import { moved, removed, replaced } from './list-edits.ts'
import { newButton } from './step-edits.ts'
import { TextField } from './text-field.tsx'
import { actionsWords } from './words.ts'

type Props = {
  buttons: readonly DocumentButton[]
  document: ContentDocument
  about: string
  onChange: (name: string, buttons: DocumentButton[], field?: string) => void
}

/** Buttons, each with what it does as one sentence. Opening one edits the list of its actions. */
export function ButtonsSection({ buttons, document, about, onChange }: Props) {
  const { reason } = useContent()
  const names = useNames()
  const [open, setOpen] = useState<number>()
  const add = () => {
    onChange(`add a button to ${about}`, [...buttons, newButton(document)])
    setOpen(buttons.length)
  }
  return (
    <section>
      <div className="sec">
        <h2 className="h2">Buttons</h2>
        {!reason && buttons.length < limits.buttonsPerStep && (
          <span className="end">
            <IconButton icon="plus" label="Add a button" onClick={add} />
          </span>
        )}
      </div>
      {buttons.map((button, index) => {
        const put = (next: DocumentButton, field?: string) =>
          onChange(`change a button of ${about}`, replaced(buttons, index, next), field && `button.${index}.${field}`)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: buttons have no other key
          <div key={index} className="act">
            <button
              type="button"
              className="act-head"
              aria-expanded={open === index}
              onClick={() => setOpen(open === index ? undefined : index)}
            >
              <b dir="auto">{button.label || 'Without a label'}</b>
              <small>
                <Icon name="arrowright" /> {actionsWords(button.do, document, names)}
              </small>
            </button>
            {open === index && (
              <div className="stack">
                <TextField
                  label="Label"
                  maxLength={60}
                  value={button.label}
                  onChange={(label) => put({ ...button, label }, 'label')}
                />
                <Tick
                  label="The main one"
                  checked={button.style === 'primary'}
                  onChange={(isMain) => put({ ...button, style: isMain ? 'primary' : 'secondary' })}
                />
                <ActionsEditor
                  actions={button.do}
                  document={document}
                  onChange={(actions, field) => put({ ...button, do: actions }, field)}
                />
                {!reason && (
                  <span className="btns">
                    <IconButton
                      icon="arrowup"
                      label="Move the button to the left"
                      onClick={() => onChange(`move a button of ${about}`, moved(buttons, index, index - 1))}
                    />
                    <IconButton
                      icon="trash"
                      label={`Delete the button ${button.label}`}
                      onClick={() => {
                        setOpen(undefined)
                        onChange(`delete a button of ${about}`, removed(buttons, index))
                      }}
                    />
                  </span>
                )}
              </div>
            )}
          </div>
        )
      })}
      {buttons.length === 0 && <p className="t2">No buttons.</p>}
    </section>
  )
}
