import type { Dialog } from '@base-ui/react/dialog'

/** The second click of a double click on what opens a dialog lands beside it, and is not meant to close it. */
export const isSecondClick = ({ reason, event }: Dialog.Root.ChangeEventDetails): boolean =>
  reason === 'outside-press' && event instanceof MouseEvent && event.detail > 1
