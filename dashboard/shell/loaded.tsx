import { type ReactNode, useState } from 'react'
import { ApiError } from '../api.ts'
import { Empty, Failed } from '../parts/blank.tsx'
import { Loading } from '../parts/skeleton.tsx'
import { BackButton } from './back-button.tsx'
import { NoPermission } from './no-permission.tsx'

type Query<Data> = { data: Data | undefined; error: Error | null; refetch: () => unknown }

type Props<Data> = {
  query: Query<Data>
  /** Begins a sentence: The list. */
  what: string
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}

/** The states of a query: loaded, loading, missing, not allowed, failed. */
export function Loaded<Data>({ query, what, skeleton, children }: Props<Data>) {
  const error = useLastError(query)
  if (query.data !== undefined) return children(query.data)
  if (!error) return <Loading label={what.toLowerCase()}>{skeleton}</Loading>
  const status = error instanceof ApiError ? error.status : undefined
  if (status === 403) return <NoPermission message={error.message} />
  if (status === 404) return <Missing message={error.message} />
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return <Failed what={what} error={{ message: error.message, requestId }} onRetry={() => void query.refetch()} />
}

function Missing({ message }: { message: string }) {
  return (
    <Empty title="There is nothing here" action={<BackButton />}>
      {message}. It may have been deleted, or it belongs to another environment.
    </Empty>
  )
}

/** A failed query is pending again during a retry: the error stays, so that the page does not flicker. */
function useLastError<Data>(query: Query<Data>): Error | null {
  const [last, setLast] = useState<Error | null>(null)
  const now = query.data === undefined ? (query.error ?? last) : null
  if (now !== last) setLast(now)
  return now
}
