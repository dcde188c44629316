import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRowTab } from '../parts/row-focus.ts'

type Props = LinkProps & { children: ReactNode; className?: string }

/** The one link of a table's row: it covers the whole row. */
export function RowLink({ className = '', children, ...link }: Props) {
  const tab = useRowTab()
  return (
    <Link {...link} className={`row-link ${className}`} data-row="" tabIndex={tab}>
      {children}
    </Link>
  )
}
