import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

export type EventDefinition = Output<'listEventDefinitions'>['data'][number]
export type AttributeDefinition = Output<'listAttributeDefinitions'>['data'][number]
export type Scope = AttributeDefinition['scope']
export const SCOPES = ['user', 'group', 'event', 'group_membership'] as const satisfies readonly Scope[]

export const ORDERS = ['display_name', '-display_name', 'name', '-name', 'created_at', '-created_at'] as const

export type DefinitionSearch = { q?: string; order_by?: (typeof ORDERS)[number] }

export const eventDefinitionsQuery = (environment: string, search: DefinitionSearch = {}) =>
  infiniteQueryOptions({
    queryKey: [environment, 'event-definitions', search],
    queryFn: ({ pageParam, signal }) =>
      call('listEventDefinitions', { environment, ...search, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

export const attributeDefinitionsQuery = (environment: string, search: DefinitionSearch & { scope?: Scope } = {}) =>
  infiniteQueryOptions({
    queryKey: [environment, 'attribute-definitions', search],
    queryFn: ({ pageParam, signal }) =>
      call('listAttributeDefinitions', { environment, ...search, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

export const eventDefinitionQuery = (environment: string, definition_id: string) =>
  queryOptions({
    queryKey: [environment, 'event-definition', definition_id],
    queryFn: ({ signal }) => call('getEventDefinition', { environment, definition_id }, signal),
  })

export const attributeDefinitionQuery = (environment: string, definition_id: string) =>
  queryOptions({
    queryKey: [environment, 'attribute-definition', definition_id],
    queryFn: ({ signal }) => call('getAttributeDefinition', { environment, definition_id }, signal),
  })
