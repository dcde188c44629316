import { useContent, useDraft, useDraftState } from '../content/use-draft.ts'
import { WhoBody } from './who-body.tsx'

/** Whom a content is shown to, on which pages, and when. */
export function WhoPage() {
  const { detail, store } = useContent()
  const { unfinishedRows } = useDraftState(store)
  const { document, edit, reason } = useDraft()
  return (
    <WhoBody
      contentId={detail.id}
      document={document}
      live={detail.published?.document}
      quietSeconds={detail.guidance.quiet_seconds}
      reason={reason}
      onEdit={edit}
      unfinished={unfinishedRows}
      onUnfinished={store.noteUnfinished}
    />
  )
}
