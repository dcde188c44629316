import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

type Props = { trigger: ReactElement; children: ReactNode; align?: 'start' | 'end'; side?: 'bottom' | 'top' | 'right' }

export function Menu({ trigger, children, align = 'end', side = 'bottom' }: Props) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="layer" sideOffset={4} align={align} side={side}>
          <Base.Popup className="menu">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

type Item = {
  icon?: IconName
  danger?: boolean
  onSelect: () => void
  reason?: string | undefined
  children: ReactNode
}

export function MenuItem({ icon, danger, onSelect, reason, children }: Item) {
  return (
    <Base.Item className={`menu-item ${danger ? 'danger' : ''}`} onClick={onSelect} disabled={Boolean(reason)}>
      {icon && <Icon name={icon} />}
      <span className="clip">{children}</span>
      {reason && <span className="menu-note">{reason}</span>}
    </Base.Item>
  )
}

export function MenuChoice({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: { value: string; label: string; icon?: IconName }[]
  onChange: (value: string) => void
}) {
  return (
    <Base.RadioGroup value={value} onValueChange={onChange} aria-label={label}>
      {options.map((option) => (
        <Base.RadioItem key={option.value} value={option.value} className="menu-item" closeOnClick={false}>
          {option.icon && <Icon name={option.icon} />}
          {option.label}
          <Base.RadioItemIndicator className="tick" render={<Icon name="check" />} />
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}

export const MenuLine = () => <hr className="menu-line" />
