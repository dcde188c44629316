import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Range } from '../../contract/dashboard/home.ts'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

export type HomeData = Output<'getHome'>

export const RANGES = ['1h', '24h', '7d', '30d'] as const satisfies readonly Range[]

const REFRESH_MS = 5000

export const homeQuery = (environment: string, range: Range) =>
  queryOptions({
    queryKey: [environment, 'home', range],
    queryFn: ({ signal }) => call('getHome', { environment, range }, signal),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  })
