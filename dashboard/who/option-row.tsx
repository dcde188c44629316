import type { ReactNode } from 'react'

/** What can be chosen, by its name. */
export function OptionRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <li>
      <span>{name}</span>
      <span className="r">{children}</span>
    </li>
  )
}
