import { queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'
import { queryClient } from '../query-client.ts'

export type ThemeList = Output<'listThemes'>
export type Theme = ThemeList['data'][number]

export const themesQuery = (environment: string) =>
  queryOptions({
    queryKey: [environment, 'themes'],
    queryFn: ({ signal }) => call('listThemes', { environment }, signal),
  })

export const reloadThemes = async (environment: string) =>
  await queryClient.invalidateQueries({ queryKey: themesQuery(environment).queryKey })
