import { queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

export type SystemData = Output<'getSystem'>

export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => call('getSystem', {}, signal),
  refetchInterval: 10_000,
})
