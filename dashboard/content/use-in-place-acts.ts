import { createContext, useContext } from 'react'
import type { useInPlace } from './in-place.ts'

/** What a member wants to open in the application. */
export interface Wish {
  purpose: 'pick' | 'preview'
  /** The key of a step; a launcher has none. */
  step?: string | undefined
}

export interface InPlaceActs {
  /** Why the application cannot be opened from here. */
  reason: string | undefined
  /** Opens the application where it was opened last; the first time it asks for the address. */
  open(wish: Wish): void
  /** Asks for the address, and for a preview also as whom. */
  ask(wish: Wish): void
  /** What was opened last, until it is done. */
  wish: Wish | undefined
  tab: ReturnType<typeof useInPlace>
}

export const InPlaceContext = createContext<InPlaceActs | undefined>(undefined)

export function useInPlaceActs(): InPlaceActs {
  const acts = useContext(InPlaceContext)
  if (!acts) throw new Error('There is no content around this page.')
  return acts
}
