import type { ReactNode } from 'react'

/** Names and values of one thing. */
export function Facts({ children }: { children: [string, ReactNode][] }) {
  return (
    <dl className="dl">
      {children.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** An absent value. */
export const Absent = () => <span className="t3">–</span>
