import { queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

export type ContentDetail = Output<'getContent'>

export const contentQuery = (environment: string, content_id: string) =>
  queryOptions({
    queryKey: [environment, 'content', content_id],
    queryFn: ({ signal }) => call('getContent', { environment, content_id }, signal),
  })
