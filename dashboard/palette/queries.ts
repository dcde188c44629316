import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'

export const searchQuery = (environment: string, q: string) =>
  queryOptions({
    queryKey: [environment, 'search', q],
    queryFn: ({ signal }) => call('search', { environment, q }, signal),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
