import { useNavigate } from '@tanstack/react-router'
import { Button } from '../parts/button.tsx'
import { toast } from '../parts/toast.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { reloadContent } from './queries.ts'
import { useContent, useDraftState } from './use-draft.ts'

/** Somebody else deleted the content while it was edited: what is here can become a new one. */
export function DeletedStrip() {
  const { store } = useContent()
  const { saving } = useDraftState(store)
  const { slug: environment } = useEnvironment()
  const reason = useReason('createContent')
  const navigate = useNavigate()
  const { run, running, problem } = useAction(async () => {
    const contentId = await store.saveAsNew()
    await navigate({ to: '/$environment/content/$contentId/steps', params: { environment, contentId } })
    await reloadContent(environment)
    toast('It is a draft again.')
  })
  if (saving !== 'deleted') return null
  return (
    <div className="strip" role="alert">
      <p>
        <b>Somebody else deleted this content.</b> Yours is kept here. {problem}
      </p>
      <span className="end">
        <Button small reason={reason} busy={running && 'Saving…'} onClick={() => void run()}>
          Save as new content
        </Button>
      </span>
    </div>
  )
}
