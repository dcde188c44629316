import { queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

export type Targets = Output<'listTargets'>
export type TargetResult = Targets['data'][number]

/** Without a version, those of the published one. */
export const targetsQuery = (environment: string, content_id: string, version?: number) =>
  queryOptions({
    queryKey: [environment, 'content', content_id, 'targets', version ?? 'live'],
    queryFn: ({ signal }) => call('listTargets', { environment, content_id, ...(version ? { version } : {}) }, signal),
    refetchInterval: 60_000,
  })
