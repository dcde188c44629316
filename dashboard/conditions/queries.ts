import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Condition } from '../../contract/conditions/condition.ts'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'
import type { ValueSource } from './chip-part.ts'

export type Scope = 'user' | 'group'
export type Count = Output<'countCondition'>
export type Samples = Output<'sampleCondition'>
export type Receipt = Output<'explainCondition'>

export const countQuery = (environment: string, condition: Condition | undefined, scope: Scope) =>
  queryOptions({
    queryKey: [environment, 'condition-count', scope, condition],
    queryFn: ({ signal }) => call('countCondition', { environment, condition: condition as Condition, scope }, signal),
    enabled: condition !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    refetchInterval: false,
  })

export const samplesQuery = (environment: string, condition: Condition | undefined, scope: Scope) =>
  queryOptions({
    queryKey: [environment, 'condition-samples', scope, condition],
    queryFn: ({ signal }) => call('sampleCondition', { environment, condition: condition as Condition, scope }, signal),
    enabled: condition !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })

export const valuesQuery = (environment: string, source: ValueSource) =>
  queryOptions({
    queryKey: [environment, 'values', source],
    queryFn: ({ signal }) => call('listValues', { environment, ...source }, signal),
    staleTime: 60_000,
  })
