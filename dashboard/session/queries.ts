import { queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { announceSessionChange } from './changes.ts'

export type Session = Output<'getSession'>

/** Who is signed in, and the environments. Everything but sign-in needs it. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => call('getSession', {}, signal),
  staleTime: 60_000,
})

export const welcomeQuery = queryOptions({
  queryKey: ['welcome'],
  queryFn: ({ signal }) => call('getWelcome', {}, signal),
})

export const readLinkQuery = (token: string) =>
  queryOptions({
    queryKey: ['link', token],
    queryFn: ({ signal }) => call('readLink', { token }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** Clears the cache, so that no data of another member is shown. */
export function beginSession(session: Session): void {
  queryClient.clear()
  queryClient.setQueryData(sessionQuery.queryKey, session)
  announceSessionChange()
}

/** After the session has ended. The data of the sign-in page stays. */
export function removeMemberData(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== welcomeQuery.queryKey[0] })
}

export async function signOut(): Promise<void> {
  await call('signOut', {})
  queryClient.clear()
  announceSessionChange()
}

/** Whether the session has ended. If so, the cache of queries leads to sign-in. */
export function checkSession(): void {
  void queryClient.prefetchQuery({ ...sessionQuery, staleTime: 0 })
}

/** After a sign-in or sign-out in another tab: this tab goes to sign-in, or reloads its data for that member. */
export async function followSession(): Promise<void> {
  const before = queryClient.getQueryData(sessionQuery.queryKey)?.member.id
  if (before === undefined) return
  const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => undefined)
  if (session && session.member.id !== before) location.reload()
}
