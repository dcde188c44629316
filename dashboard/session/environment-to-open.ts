import type { Session } from './queries.ts'

/** The one that was open last, or the first. */
export function environmentToOpen({ environments }: Session): string {
  const last = localStorage.getItem('environment')
  const found = environments.find(({ slug }) => slug === last) ?? environments.find(({ is_first }) => is_first)
  return (found ?? environments[0])?.slug ?? ''
}
