import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { RunFilter } from './queries.ts'

type Props = { filter: RunFilter; children: ReactNode; className?: string }

/** A figure that opens the list of the users behind it, at an address of its own. */
export function FigureLink({ filter: { of, step, reason, question, value }, children, className = '' }: Props) {
  return (
    <Link
      className={`fig-link ${className}`}
      to="."
      search={(before) => ({ ...before, of, step, reason, question, value }) as never}
      resetScroll={false}
      title="The users behind it"
    >
      {children}
    </Link>
  )
}
