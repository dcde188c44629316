import { queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

export type Member = Output<'listMembers'>['data'][number]
export type Invitation = Output<'listMembers'>['invitations'][number]

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: ({ signal }) => call('listMembers', {}, signal),
})
