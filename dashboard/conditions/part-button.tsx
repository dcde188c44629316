import { Popover } from '@base-ui/react/popover'
import { useState } from 'react'
import type { ChipPart } from './chip-part.ts'
import { ChoiceList } from './choice-list.tsx'
import type { Row } from './tree.ts'
import { ValueForm } from './value-form.tsx'

type Props = { part: ChipPart; isReadOnly: boolean; onChange: (row: Row) => void }

/** One button of a chip. It opens the list or the form of its part. */
export function PartButton({ part, isReadOnly, onChange }: Props) {
  const { editor } = part
  const [open, setOpen] = useState(false)
  const className = `${part.kind} ${part.isTheirs ? 'mono' : ''}`
  const label = `${part.label}: ${part.text}`
  if (isReadOnly)
    return (
      <span className={className} dir="auto">
        {part.text}
      </span>
    )
  if (editor.type === 'list')
    return (
      <ChoiceList
        label={label}
        className={className}
        choices={editor.choices}
        chosen={editor.chosen}
        onChoose={(value) => onChange(editor.set(value))}
      >
        {part.text}
      </ChoiceList>
    )
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className={className} aria-label={label} dir="auto">
        {part.text}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="layer" sideOffset={6} align="start">
          <Popover.Popup className="menu form" aria-label={part.label}>
            <ValueForm
              editor={editor}
              label={part.label}
              onDone={(row) => {
                onChange(row)
                setOpen(false)
              }}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
