import type { ReactNode } from 'react'
import { percent } from '../format/number.ts'

type Props = { label: string; times: number; all: number; isSaid?: boolean; children: ReactNode }

/** One of several values with how often it came, and its share of all. `isSaid` false: too few for a share. */
export const Share = ({ label, times, all, isSaid = true, children }: Props) => (
  <li>
    <span className="clip" dir="auto">
      {label}
    </span>
    {children}
    <span className="n t2">{isSaid ? percent(times, all) : '–'}</span>
    <span className="meter" aria-hidden="true">
      <i style={{ width: `${all === 0 ? 0 : (100 * times) / all}%` }} />
    </span>
  </li>
)
