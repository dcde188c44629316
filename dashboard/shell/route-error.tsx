import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ApiError } from '../api.ts'
import { Failed } from '../parts/blank.tsx'

export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <main className="page">
      <h1 className="sr">Failed</h1>
      <Failed
        what="The page"
        error={{ message: error instanceof Error ? error.message : String(error), requestId }}
        onRetry={() => {
          reset()
          void router.invalidate()
        }}
      />
    </main>
  )
}
