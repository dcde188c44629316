import type { ComponentProps } from 'react'
import { Hint } from './hint.tsx'
import { Icon, type IconName } from './icon.tsx'

type Props = Omit<ComponentProps<'button'>, 'children'> & { icon: IconName; label: string; small?: boolean }

export function IconButton({ icon, label, small, className = '', ...rest }: Props) {
  return (
    <Hint text={label}>
      <button type="button" aria-label={label} className={`icon-btn ${small ? 'sm' : ''} ${className}`} {...rest}>
        <Icon name={icon} />
      </button>
    </Hint>
  )
}
