import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

export type AuditEntry = Output<'listAuditEntries'>['data'][number]
export type AuditSearch = { member_id?: string; action?: string; environment?: string; since?: string }

export const auditQuery = (search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ['audit', search],
    queryFn: ({ pageParam, signal }) =>
      call('listAuditEntries', { ...search, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })
