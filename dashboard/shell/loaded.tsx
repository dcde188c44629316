import type { ReactNode } from 'react'
import { ApiError } from '../api.ts'
import { Empty, Failed } from '../parts/blank.tsx'
import { Loading } from '../parts/skeleton.tsx'
import { NoPermission } from './no-permission.tsx'

type Query<Data> = { data: Data | undefined; error: Error | null; refetch: () => unknown }

type Props<Data> = {
  query: Query<Data>
  /** Begins a sentence: The list. */
  what: string
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}

/** The states of everything that is loaded: there, loading, missing, not allowed, failed. */
export function Loaded<Data>({ query, what, skeleton, children }: Props<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (!query.error) return <Loading label={what.toLowerCase()}>{skeleton}</Loading>
  const status = query.error instanceof ApiError ? query.error.status : undefined
  if (status === 403) return <NoPermission message={query.error.message} />
  if (status === 404) return <Empty title="There is nothing here">{query.error.message}</Empty>
  const requestId = query.error instanceof ApiError ? query.error.requestId : undefined
  return <Failed what={what} error={{ message: query.error.message, requestId }} onRetry={() => void query.refetch()} />
}
