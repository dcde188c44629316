import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const listeners = new Set<() => void>()
const dark = matchMedia('(prefers-color-scheme: dark)')

function subscribe(listener: () => void) {
  listeners.add(listener)
  dark.addEventListener('change', listener)
  return () => {
    listeners.delete(listener)
    dark.removeEventListener('change', listener)
  }
}

function stored(): Theme {
  const theme = localStorage.getItem('theme')
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, stored)

/** What is shown: the choice, or what the system has. */
export const useShownTheme = (): 'light' | 'dark' =>
  useSyncExternalStore(subscribe, () => {
    const theme = stored()
    return theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
  })

export function setTheme(theme: Theme): void {
  localStorage.setItem('theme', theme)
  document.documentElement.classList.remove('light', 'dark')
  if (theme !== 'system') document.documentElement.classList.add(theme)
  for (const listener of listeners) listener()
}
