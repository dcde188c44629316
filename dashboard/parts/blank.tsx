import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { CopyId } from './copy.tsx'

/** An empty list: what it will show, and the button that adds the first entry. */
export function Empty({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="blank">
      <b>{title}</b>
      <p>{children}</p>
      {action}
    </div>
  )
}

type Failure = { message: string; requestId?: string | null | undefined }

type FailedProps = { what: string; error: Failure; onRetry: () => void }

/** What failed, whether something is lost, and the id of the request to copy. */
export function Failed({ what, error, onRetry }: FailedProps) {
  return (
    <div className="blank" role="alert">
      <b>{what} could not be loaded</b>
      <p>
        {sentence(error.message)} Nothing is lost.
        {error.requestId && (
          <>
            {' '}
            <CopyId value={error.requestId} />
          </>
        )}
      </p>
      <Button icon="retry" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

type FailedPartProps = { what: string; error: Error; isAsking: boolean; onRetry: () => void }

/** The same for a part of a page, whose other parts are there. */
export function FailedPart({ what, error, isAsking, onRetry }: FailedPartProps) {
  return (
    <div role="status">
      <p className="bad-t">
        {what} could not be loaded: {error.message}
      </p>
      <Button icon="retry" busy={isAsking && 'Looking…'} onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

function sentence(text: string): string {
  const begun = text.slice(0, 1).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}
