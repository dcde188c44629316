import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Input, Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

export type Results = Output<'getResults'>
export type StepResult = Results['steps'][number]
export type CountedRunsAsked = Input<'listCountedRuns'>
export type CountedRun = Output<'listCountedRuns'>['data'][number]
export type { RunFilter } from '../../contract/dashboard/results.ts'
export type QuestionResult = Results['questions'][number]

export const resultsQuery = (environment: string, content_id: string, version?: number, against?: number) =>
  queryOptions({
    queryKey: [environment, 'content', content_id, 'results', version ?? 'live', against ?? 'before'],
    queryFn: ({ signal }) =>
      call(
        'getResults',
        { environment, content_id, ...(version ? { version } : {}), ...(against ? { against } : {}) },
        signal,
      ),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })

export const answersQuery = (environment: string, content_id: string, question: string, q: string) =>
  infiniteQueryOptions({
    queryKey: [environment, 'content', content_id, 'answers', question, q],
    queryFn: ({ pageParam, signal }) =>
      call(
        'listAnswers',
        { environment, content_id, question, ...(q ? { q } : {}), ...(pageParam ? { before: pageParam } : {}) },
        signal,
      ),
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
