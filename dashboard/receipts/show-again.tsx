import { useState } from 'react'
import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { toast } from '../parts/toast.tsx'
import { queryClient } from '../query-client.ts'
import { useEnvironment, useReason } from '../session/use-session.ts'

type Props = { content: { id: string; name: string }; user: { id: string; name: string | null }; isSmall?: boolean }

/** Forgets what the user has seen of a content. */
export function ShowAgain({ content, user, isSmall = false }: Props) {
  const { slug: environment } = useEnvironment()
  const reason = useReason('showAgain')
  const [asking, setAsking] = useState(false)
  const who = user.name ?? user.id
  return (
    <>
      <Button icon="retry" small={isSmall} reason={reason} onClick={() => setAsking(true)}>
        Show again…
      </Button>
      {asking && (
        <ConfirmDialog
          title={`Show ${content.name} to ${who} again?`}
          about="Usher forgets that they saw it: their runs, with their answers and receipts, are deleted and leave the results. It is then decided as if for the first time."
          act="Show again"
          busy="Forgetting…"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await call('showAgain', { environment, content_id: content.id, user_id: user.id })
            await Promise.all([
              queryClient.invalidateQueries({ queryKey: [environment, 'receipts', content.id, user.id] }),
              queryClient.invalidateQueries({ queryKey: [environment, 'content-of-user', user.id] }),
              queryClient.invalidateQueries({ queryKey: [environment, 'content'] }),
            ])
            toast(`For ${who} it is as if it was never shown.`)
          }}
        />
      )}
    </>
  )
}
