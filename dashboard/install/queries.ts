import { queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { useEnvironment } from '../session/use-session.ts'

export type Installation = Output<'getInstallation'>
export type LackingUser = Output<'listLackingUsers'>['users'][number]

const WATCH_MS = 5_000

/** Watched: somebody waits for the first page. */
export const installationQuery = (environment: string) =>
  queryOptions({
    queryKey: [environment, 'installation'],
    queryFn: ({ signal }) => call('getInstallation', { environment }, signal),
    refetchInterval: WATCH_MS,
  })

export const lackingQuery = (environment: string) =>
  queryOptions({
    queryKey: [environment, 'installation', 'lacking'],
    queryFn: ({ signal }) => call('listLackingUsers', { environment }, signal),
  })

/** Reads the installation again, after a change. */
export function useAgain() {
  const { slug } = useEnvironment()
  return () => queryClient.invalidateQueries({ queryKey: installationQuery(slug).queryKey })
}
