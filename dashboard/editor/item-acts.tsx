import { IconButton } from '../parts/icon-button.tsx'

type Props = {
  /** What each does, for those who cannot see the icon. */
  earlier: string
  remove: string
  /** The first of a list has no earlier place. */
  onEarlier: (() => void) | undefined
  onRemove: () => void
}

/** What can be done with an item of a list whose order counts. */
export function ItemActs({ earlier, remove, onEarlier, onRemove }: Props) {
  return (
    <>
      {onEarlier && <IconButton small icon="arrowup" label={earlier} onClick={onEarlier} />}
      <IconButton small icon="x" label={remove} onClick={onRemove} />
    </>
  )
}
