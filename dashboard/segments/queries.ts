import { queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

export type Segment = Output<'getSegment'>

export const segmentsQuery = (environment: string) =>
  queryOptions({
    queryKey: [environment, 'segments'],
    queryFn: ({ signal }) => call('listSegments', { environment }, signal),
  })

export const segmentQuery = (environment: string, segment_id: string) =>
  queryOptions({
    queryKey: [environment, 'segments', segment_id],
    queryFn: ({ signal }) => call('getSegment', { environment, segment_id }, signal),
  })

const FRESH_MS = 60_000

export const segmentCountsKey = (environment: string) => [environment, 'segment-counts'] as const

/** How many are in each segment, by its key. One after the other, since an environment counts one at a time. */
export const segmentCountsQuery = (environment: string, keys: readonly string[]) =>
  queryOptions({
    queryKey: [...segmentCountsKey(environment), keys],
    queryFn: async ({ signal }) => {
      const counts = new Map<string, number>()
      for (const segment of keys)
        counts.set(segment, (await call('countCondition', { environment, segment }, signal)).count)
      return counts
    },
    enabled: keys.length > 0,
    staleTime: FRESH_MS,
    retry: false,
  })

export const segmentsOfQuery = (environment: string, scope: 'user' | 'group', id: string) =>
  queryOptions({
    queryKey: [environment, 'segments-of', scope, id],
    queryFn: ({ signal }) => call('listSegmentsOf', { environment, scope, id }, signal),
  })
