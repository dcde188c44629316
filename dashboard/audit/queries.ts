import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Input, Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

export type AuditEntry = Output<'listAuditEntries'>['data'][number]
export type AuditSearch = Omit<Input<'listAuditEntries'>, 'cursor' | 'limit'>

export const auditQuery = (search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ['audit', search],
    queryFn: ({ pageParam, signal }) =>
      call('listAuditEntries', { ...search, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

/** One that is not among the entries that are listed. */
export const auditEntryQuery = (entry_id: string) =>
  queryOptions({
    queryKey: ['audit', 'entry', entry_id],
    queryFn: ({ signal }) => call('getAuditEntry', { entry_id }, signal),
  })
