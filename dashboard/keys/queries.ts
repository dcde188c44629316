import { queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

export type Key = Output<'listKeys'>['data'][number]

export const keysQuery = (environment: string) =>
  queryOptions({
    queryKey: [environment, 'keys'],
    queryFn: ({ signal }) => call('listKeys', { environment }, signal),
  })
