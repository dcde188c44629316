import { queryOptions } from '@tanstack/react-query'
import type { ContentState } from '../../contract/dashboard/content.ts'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'
import { queryClient } from '../query-client.ts'

export type ContentList = Output<'listContent'>
export type ContentRow = ContentList['data'][number]
export type ContentDetail = Output<'getContent'>
export type Version = Output<'getVersion'>
export type Guidance = ContentList['guidance']
export type Problem = ContentDetail['draft']['problems'][number]
export type { ContentState }

export const contentListQuery = (environment: string) =>
  queryOptions({
    queryKey: [environment, 'content'],
    queryFn: ({ signal }) => call('listContent', { environment }, signal),
  })

export const contentQuery = (environment: string, content_id: string) =>
  queryOptions({
    queryKey: [environment, 'content', content_id],
    queryFn: ({ signal }) => call('getContent', { environment, content_id }, signal),
  })

export const versionsQuery = (environment: string, content_id: string) =>
  queryOptions({
    queryKey: [environment, 'content', content_id, 'versions'],
    queryFn: ({ signal }) => call('listVersions', { environment, content_id }, signal),
  })

/** What changed is against the version before, unless another is named. */
export const versionQuery = (environment: string, content_id: string, number: number, against?: number) =>
  queryOptions({
    queryKey: [environment, 'content', content_id, 'versions', number, against ?? 'before'],
    queryFn: ({ signal }) =>
      call('getVersion', { environment, content_id, number: String(number), ...(against ? { against } : {}) }, signal),
  })

/** A list that was read before does not show what was deleted since, not even until it is read again. */
export const leaveOut = (environment: string, id: string) =>
  queryClient.setQueryData(
    contentListQuery(environment).queryKey,
    (list) => list && { ...list, data: list.data.filter((row) => row.id !== id) },
  )

/** What was saved, until it is read again: whoever comes back to the content sees it, and goes on from its revision. */
export function keepSaved(environment: string, id: string, saved: Pick<ContentDetail, 'draft' | 'state'>): void {
  const { queryKey } = contentQuery(environment, id)
  queryClient.setQueryData(queryKey, (detail) => detail && { ...detail, ...saved })
  void queryClient.invalidateQueries({ queryKey: [environment, 'content'], refetchType: 'none' })
}

/** After a change of content: its list, and what is open of it. */
export const reloadContent = (environment: string) =>
  queryClient.invalidateQueries({ queryKey: [environment, 'content'] })
