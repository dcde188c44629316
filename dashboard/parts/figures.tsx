import type { ReactNode } from 'react'

export function Figures({ children }: { children: ReactNode }) {
  return <div className="panel figures">{children}</div>
}

type Props = { label: string; figure: ReactNode; unit?: string; note: ReactNode; live?: boolean }

/** A figure with its name and what explains it. */
export function Figure({ label, figure, unit, note, live }: Props) {
  return (
    <div className="figure">
      <p className="fig-l">
        {live && <span className="live-dot" aria-hidden="true" />}
        {label}
      </p>
      <p className="fig-n">
        {figure} {unit && <small>{unit}</small>}
      </p>
      <p className="fig-s">{note}</p>
    </div>
  )
}
