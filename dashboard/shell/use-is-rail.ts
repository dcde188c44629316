import { useMatches } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** A page that edits one thing: the sidebar is a rail, so that its panes have room. */
    isRail?: boolean
  }
}

const narrow = matchMedia('(max-width: 1180px)')

/** Whether the sidebar is a rail of icons, whose names are in tooltips. */
export function useIsRail(): boolean {
  const isNarrow = useSyncExternalStore(watch, () => narrow.matches)
  const edits = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.isRail) })
  return isNarrow || edits
}

function watch(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}
