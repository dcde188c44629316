import { IconButton } from '../parts/icon-button.tsx'
import { Menu, MenuItem } from '../parts/menu.tsx'

type Props = {
  label: string
  isFirst: boolean
  isLast: boolean
  onMove: (by: 1 | -1) => void
  /** Undefined: there may be no more. */
  onDuplicate: (() => void) | undefined
  onRemove: () => void
}

/** What can be done with a step or a task, also by those who can neither drag nor press keys. */
export function PartMenu({ label, isFirst, isLast, onMove, onDuplicate, onRemove }: Props) {
  return (
    <Menu trigger={<IconButton icon="more" label={label} />}>
      {!isFirst && (
        <MenuItem icon="arrowup" onSelect={() => onMove(-1)}>
          Move up
        </MenuItem>
      )}
      {!isLast && (
        <MenuItem icon="arrowdown" onSelect={() => onMove(1)}>
          Move down
        </MenuItem>
      )}
      {onDuplicate && (
        <MenuItem icon="copy" onSelect={onDuplicate}>
          Duplicate
        </MenuItem>
      )}
      <MenuItem icon="trash" danger onSelect={onRemove}>
        Delete
      </MenuItem>
    </Menu>
  )
}
