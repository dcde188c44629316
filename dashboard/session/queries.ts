import { queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'
import { queryClient } from '../query-client.ts'

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

/** What another person saw is not shown to the next one. */
export function beginSession(session: Session): void {
  queryClient.clear()
  queryClient.setQueryData(sessionQuery.queryKey, session)
}

export async function signOut(): Promise<void> {
  await call('signOut', {})
  queryClient.clear()
}
