import { useSyncExternalStore } from 'react'

let text = ''
const listeners = new Set<() => void>()

/** Says something to screen readers, through the one polite region of the page. */
export function announce(next: string): void {
  // The same text twice in a row would not be read again.
  text = text === next ? `${next}\u00a0` : next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Announcer() {
  const current = useSyncExternalStore(subscribe, () => text)
  return (
    <p className="sr announcer" role="status">
      {current}
    </p>
  )
}
