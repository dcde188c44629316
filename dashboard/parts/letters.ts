import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

/** Whether single letters act: some people use speech input, which types them. */
export const lettersAreOn = (): boolean => localStorage.getItem('letters') !== 'off'

export function setLetters(on: boolean): void {
  localStorage.setItem('letters', on ? 'on' : 'off')
  for (const listener of listeners) listener()
}

export const useLetters = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, lettersAreOn)
