import { queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

export type ContentReceipt = Output<'getReceipt'>
export type Gate = ContentReceipt['gates'][number]
export type ContentOfUser = Output<'listContentOfUser'>['data'][number]

export const receiptQuery = (environment: string, content_id: string, user_id: string) =>
  queryOptions({
    queryKey: [environment, 'receipts', content_id, user_id],
    queryFn: ({ signal }) => call('getReceipt', { environment, content_id, user_id }, signal),
  })

export const contentOfUserQuery = (environment: string, user_id: string) =>
  queryOptions({
    queryKey: [environment, 'content-of-user', user_id],
    queryFn: ({ signal }) => call('listContentOfUser', { environment, user_id }, signal),
  })
