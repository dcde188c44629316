import { type ReactNode, useEffect, useState } from 'react'

const QUIET_MS = 150

/** Nothing for 150 ms, so that quick answers do not flicker; the place is kept meanwhile. */
export function Loading({ label, children }: { label: string; children: ReactNode }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), QUIET_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={late ? 'loading' : 'loading early'}>
      <p className="sr" role="status">
        {late ? `Loading ${label}…` : ''}
      </p>
      <div aria-hidden="true">{children}</div>
    </div>
  )
}

export const Bone = ({ width, height = 8 }: { width: number | string; height?: number }) => (
  <span className="sk" style={{ width, height }} />
)

const WIDTHS = [160, 200, 132, 176, 148, 188]

/** Rows of the height of a table's. */
export function SkeletonRows({ rows = 12, columns = 5 }: { rows?: number; columns?: number }) {
  return (
    <div className="sk-rows">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without content have no other key
        <div key={row} className="sk-row">
          <Bone width={WIDTHS[row % WIDTHS.length] ?? 160} />
          {Array.from({ length: columns - 1 }, (_, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <Bone key={column} width={52 + ((row + column) % 3) * 14} />
          ))}
        </div>
      ))}
    </div>
  )
}
