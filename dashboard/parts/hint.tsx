import { Tooltip } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'

type Props = { text: ReactNode; children: ReactElement; side?: 'top' | 'right' | 'bottom' | 'left' }

/** A tooltip: shown under the pointer and on focus. The element needs its own accessible name. */
export function Hint({ text, children, side = 'top' }: Props) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner side={side} sideOffset={6} className="layer">
          <Tooltip.Popup className="hint">{text}</Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
