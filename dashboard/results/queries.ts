import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

export type Results = Output<'getResults'>
export type StepResult = Results['steps'][number]
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
