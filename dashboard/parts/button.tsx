import { type ComponentProps, type MouseEvent, useId } from 'react'
import { Hint } from './hint.tsx'
import { Icon, type IconName } from './icon.tsx'

type Props = Omit<ComponentProps<'button'>, 'disabled'> & {
  kind?: 'plain' | 'primary' | 'quiet' | 'danger' | 'danger-fill'
  small?: boolean
  icon?: IconName
  /** Shown instead of the label while the action runs; the width stays. */
  busy?: string | false | undefined
  /** Why it cannot be used now. It stays reachable by keyboard, so that the reason can be read. */
  reason?: string | undefined
  disabled?: boolean
}

export function buttonClass(kind: Props['kind'] = 'plain', small = false): string {
  return `btn ${kind === 'plain' ? '' : kind} ${small ? 'sm' : ''}`
}

export function Button({ kind, small, icon, busy, reason, disabled, className = '', children, ...rest }: Props) {
  const describedBy = useId()
  const off = Boolean(reason) || Boolean(busy)
  const button = (
    <button
      type="button"
      {...rest}
      disabled={disabled}
      className={`${buttonClass(kind, small)} ${className}`}
      aria-disabled={off || undefined}
      aria-describedby={reason ? describedBy : rest['aria-describedby']}
      onClick={off ? (event: MouseEvent) => event.preventDefault() : rest.onClick}
    >
      {icon && <Icon name={icon} />}
      {busy ? <BusyLabel text={busy}>{children}</BusyLabel> : children}
    </button>
  )
  if (!reason) return button
  return (
    <>
      <Hint text={reason}>{button}</Hint>
      <span id={describedBy} className="sr">
        {reason}
      </span>
    </>
  )
}

/** Both labels lie in one cell, so the wider one decides the width. */
function BusyLabel({ text, children }: { text: string; children: React.ReactNode }) {
  return (
    <span className="busy">
      <span aria-hidden="true">{children}</span>
      <span>{text}</span>
    </span>
  )
}
