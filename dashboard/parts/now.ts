import { useSyncExternalStore } from 'react'

/** The time now. With a step it renders again at that pace; without one it does not tick. */
export function useNow(stepMs?: number): Date {
  useSyncExternalStore(
    (listener) => {
      const timer = stepMs ? setInterval(listener, stepMs) : undefined
      return () => clearInterval(timer)
    },
    () => (stepMs ? Math.floor(Date.now() / stepMs) : 0),
  )
  return new Date()
}
