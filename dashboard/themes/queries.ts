import { queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

export type Theme = Output<'listThemes'>['data'][number]

export const themesQuery = (environment: string) =>
  queryOptions({
    queryKey: [environment, 'themes'],
    queryFn: ({ signal }) => call('listThemes', { environment }, signal),
  })
