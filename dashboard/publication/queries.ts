import { queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

export type Plan = Output<'planPublication'>

/** How far the plan has come, asked while it is waited for. */
export const planProgressQuery = (environment: string, content_id: string) =>
  queryOptions({
    queryKey: [environment, 'content', content_id, 'plan-progress'],
    queryFn: ({ signal }) => call('getPlanProgress', { environment, content_id }, signal),
    refetchInterval: 500,
    retry: false,
    gcTime: 0,
  })

/** Computed when it is asked for: a plan of before says nothing. */
export const planQuery = (environment: string, content_id: string) =>
  queryOptions({
    queryKey: [environment, 'content', content_id, 'plan'],
    queryFn: ({ signal }) => call('planPublication', { environment, content_id }, signal),
    staleTime: 0,
    gcTime: 0,
  })
