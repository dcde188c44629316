import { queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

export type Installation = Output<'getInstallation'>

const WATCH_MS = 5_000

/** Watched: somebody waits for the first page. */
export const installationQuery = (environment: string) =>
  queryOptions({
    queryKey: [environment, 'installation'],
    queryFn: ({ signal }) => call('getInstallation', { environment }, signal),
    refetchInterval: WATCH_MS,
  })
