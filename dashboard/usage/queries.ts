import { queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

export type UsageData = Output<'getUsage'>

export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: ({ signal }) => call('getUsage', {}, signal),
  refetchInterval: 15_000,
})
