import { queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

export type LiveRequest = Output<'watchLive'>['requests'][number]
export type RequestDetail = Output<'getRequest'>
export type RequestError = Output<'listRequestErrors'>['data'][number]

/** A stored request does not change. */
export const requestQuery = (environment: string, request_id: string) =>
  queryOptions({
    queryKey: [environment, 'requests', request_id],
    queryFn: ({ signal }) => call('getRequest', { environment, request_id }, signal),
    staleTime: 60_000,
  })

export const requestErrorsQuery = (environment: string) =>
  queryOptions({
    queryKey: [environment, 'request-errors'],
    queryFn: ({ signal }) => call('listRequestErrors', { environment }, signal),
    refetchInterval: 15_000,
  })
