import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

/** Users and groups have the same lists and profiles; `kind` says which. */
export type Collection = 'users' | 'groups'

export type ObjectRow = Output<'listUsers'>['data'][number]
export type Profile = Output<'getUser'>
export type AttributeRow = Profile['attributes'][number]
export type Membership = Output<'listUserGroups'>['data'][number]
export type TimelineItem = Output<'listUserTimeline'>['data'][number]
export const SHOWN = ['all', 'events', 'webhooks'] as const
export type Shown = (typeof SHOWN)[number]

/** `condition` is JSON. */
export type ListSearch = { q?: string; condition?: string; order_by?: string }

/** One page of users or groups. The first has no cursor. */
export async function readList(
  kind: Collection,
  environment: string,
  search: ListSearch & { limit?: number },
  cursor: string,
  signal: AbortSignal,
): Promise<Output<'listUsers'>> {
  const input = { environment, ...search, ...(cursor ? { cursor } : {}) }
  return kind === 'users'
    ? await call('listUsers', input as Parameters<typeof call<'listUsers'>>[1], signal)
    : await call('listGroups', input as Parameters<typeof call<'listGroups'>>[1], signal)
}

export const listQuery = (kind: Collection, environment: string, search: ListSearch, from = '') =>
  infiniteQueryOptions({
    queryKey: [environment, kind, 'list', search, from],
    queryFn: ({ pageParam, signal }) => readList(kind, environment, search, pageParam, signal),
    initialPageParam: from,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

export const profileQuery = (kind: Collection, environment: string, id: string) =>
  queryOptions({
    queryKey: [environment, kind, 'profile', id],
    queryFn: ({ signal }) =>
      kind === 'users'
        ? call('getUser', { environment, user_id: id }, signal)
        : call('getGroup', { environment, group_id: id }, signal),
  })

export const deletionQuery = (kind: Collection, environment: string, id: string) =>
  queryOptions({
    queryKey: [environment, kind, 'deletion', id],
    queryFn: ({ signal }) =>
      kind === 'users'
        ? call('getUserDeletion', { environment, user_id: id }, signal)
        : call('getGroupDeletion', { environment, group_id: id }, signal),
    staleTime: 0,
  })

export const membershipsQuery = (kind: Collection, environment: string, id: string) =>
  infiniteQueryOptions({
    queryKey: [environment, kind, 'memberships', id],
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam ? { cursor: pageParam } : {}
      return kind === 'users'
        ? call('listUserGroups', { environment, user_id: id, ...cursor }, signal)
        : call('listGroupMembers', { environment, group_id: id, ...cursor }, signal)
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  })

export const timelineQuery = (kind: Collection, environment: string, id: string, show: Shown) =>
  infiniteQueryOptions({
    queryKey: [environment, kind, 'timeline', id, show],
    queryFn: ({ pageParam, signal }) => {
      const query = { environment, show, ...(pageParam ? { cursor: pageParam } : {}) }
      return kind === 'users'
        ? call('listUserTimeline', { ...query, user_id: id }, signal)
        : call('listGroupTimeline', { ...query, group_id: id }, signal)
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })
