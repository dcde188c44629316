import { useEffect, useRef, useState } from 'react'
import { KEPT_ROWS } from './ring.ts'

type Row = { id: string }

type Paused<R> = {
  rows: readonly R[]
  paused: boolean
  /** New rows that wait; KEPT_ROWS when there are at least that many. */
  waiting: number
  pause: () => void
  resume: () => void
}

/** While paused the rows do not move, and new ones wait behind a strip. */
export function usePaused<R extends Row>(live: readonly R[], held: boolean): Paused<R> {
  const [frozen, setFrozen] = useState<readonly R[]>()
  const latest = useRef(live)
  latest.current = live
  // A page that is opened with a row in its URL pauses only after the first rows have arrived.
  const stops = held && live.length > 0
  useEffect(() => {
    if (stops) setFrozen((rows) => rows ?? latest.current)
  }, [stops])
  const rows = frozen ?? live
  return {
    rows,
    paused: frozen !== undefined,
    waiting: frozen ? newSince(live, frozen) : 0,
    pause: () => setFrozen(latest.current),
    resume: () => setFrozen(undefined),
  }
}

export function newSince(live: readonly Row[], frozen: readonly Row[]): number {
  const [first] = frozen
  if (!first) return live.length
  const at = live.findIndex(({ id }) => id === first.id)
  return at === -1 ? KEPT_ROWS : at
}
