import type { KeyboardEvent } from 'react'
import { count } from '../format/number.ts'
import { IconButton } from '../parts/icon-button.tsx'
import type { BuilderParts } from './builder-parts.ts'
import { partsOf } from './chip.ts'
import { PartButton } from './part-button.tsx'
import { SubjectButton } from './subject-button.tsx'
import { isFinished, newRow, type Row } from './tree.ts'
import { insertAfter, movePart, removePart, replacePart } from './tree-edits.ts'

/** The focus goes with the row, so that the next key moves the same one. In another group it is drawn anew. */
function follow({ currentTarget, target }: KeyboardEvent): void {
  const row = `.builder [data-row="${currentTarget.getAttribute('data-row')}"]`
  const at = [...currentTarget.querySelectorAll('button')].indexOf(target as HTMLButtonElement)
  requestAnimationFrame(() => document.querySelectorAll<HTMLElement>(`${row} button`)[at]?.focus())
}

/** One condition: a chip of buttons, what it matches by itself, and the way to remove it. */
export function ConditionRow({ row, builder }: { row: Row; builder: BuilderParts }) {
  const { catalogue, place, isReadOnly, edit, lines, isOld, scope } = builder
  const matched = lines.get(row.id)
  const finished = isFinished(row.leaf, place)
  const change = (next: Row) => edit((tree) => replacePart(tree, row.id, next))
  function press(event: KeyboardEvent) {
    // What a list or a form has opened over the page is inside of this row for React, but not for people.
    if (!event.currentTarget.contains(event.target as Node)) return
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key] as 1 | -1 | undefined
    if (event.altKey && step) {
      edit((tree) => movePart(tree, row.id, step))
      follow(event)
    } else if ((event.metaKey || event.ctrlKey) && event.key === 'Enter')
      edit((tree) => insertAfter(tree, row.id, newRow()))
    else if (event.key === 'Backspace' || event.key === 'Delete') edit((tree) => removePart(tree, row.id))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const state = `${finished ? '' : 'open'} ${matched === 0 ? 'none' : ''}`
  return (
    <div className={`cond ${state}`} data-row={row.id} {...(isReadOnly ? {} : { onKeyDownCapture: press })}>
      <span className="ex">
        <SubjectButton row={row} catalogue={catalogue} place={place} isReadOnly={isReadOnly} onChange={change} />
        {partsOf(row, catalogue).map((part) => (
          <PartButton key={part.key} part={part} isReadOnly={isReadOnly} onChange={change} />
        ))}
      </span>
      <span
        className={isOld ? 'n old' : 'n'}
        title={`${scope === 'user' ? 'Users' : 'Groups'} this line matches by itself`}
      >
        {matched === undefined ? (finished ? '' : 'not finished') : count(matched)}
      </span>
      {!isReadOnly && (
        <IconButton
          small
          icon="x"
          label="Remove the condition"
          onClick={() => edit((tree) => removePart(tree, row.id))}
        />
      )}
    </div>
  )
}
