import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Input, Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'
import { present } from '../search.ts'

export type Results = Output<'getResults'>
export type StepResult = Results['steps'][number]
export type CountedRunsAsked = Input<'listCountedRuns'>
export type CountedRun = Output<'listCountedRuns'>['data'][number]
export type { RunFilter } from '../../contract/dashboard/results.ts'
export type QuestionResult = Results['questions'][number]

/** Which version, against which, and of how many days: without them, the live one, the one before, and all. */
export interface ResultsAsked {
  version?: number | undefined
  against?: number | undefined
  days?: number | undefined
}

export const resultsQuery = (environment: string, content_id: string, { version, against, days }: ResultsAsked) =>
  queryOptions({
    queryKey: [environment, 'content', content_id, 'results', version ?? 'live', against ?? 'before', days ?? 'all'],
    queryFn: ({ signal }) =>
      call('getResults', { environment, content_id, ...present({ version, against, days }) }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })

export const answersQuery = (asked: Input<'listAnswers'>) =>
  infiniteQueryOptions({
    queryKey: [asked.environment, 'content', asked.content_id, 'answers', asked],
    queryFn: ({ pageParam, signal }) =>
      call('listAnswers', { ...asked, ...(pageParam ? { before: pageParam } : {}) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  })

/** The runs that a figure counts. */
export const countedRunsQuery = (asked: CountedRunsAsked) =>
  infiniteQueryOptions({
    queryKey: [asked.environment, 'content', asked.content_id, 'runs', asked],
    queryFn: ({ pageParam, signal }) =>
      call('listCountedRuns', { ...asked, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  })
