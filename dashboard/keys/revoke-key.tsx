import { useState } from 'react'
import { call } from '../api.ts'
import { activity } from '../format/time.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { toast } from '../parts/toast.tsx'
import { queryClient } from '../query-client.ts'
import { useReason } from '../session/use-session.ts'
import { type Key, keysQuery } from './queries.ts'

export function RevokeKey({ environment, apiKey }: { environment: string; apiKey: Key }) {
  const [open, setOpen] = useState(false)
  const reason = useReason('revokeKey')
  return (
    <>
      <Button small kind="danger" reason={reason} aria-label={`Revoke ${apiKey.name}`} onClick={() => setOpen(true)}>
        Revoke
      </Button>
      {open && (
        <ConfirmDialog
          title={`Revoke ${apiKey.name}?`}
          about={`${lastUsed(apiKey)} Requests with it are answered with 401 within a second. This cannot be undone.`}
          act="Revoke key"
          busy="Revoking…"
          onClose={() => setOpen(false)}
          onConfirm={async () => {
            await call('revokeKey', { environment, key_id: String(apiKey.id) })
            await queryClient.invalidateQueries({ queryKey: keysQuery(environment).queryKey })
            toast(`Key ${apiKey.name} revoked. It stops within a second.`)
          }}
        />
      )}
    </>
  )
}

function lastUsed({ last_used_at }: Key): string {
  if (!last_used_at) return 'It was never used.'
  const text = activity(new Date(last_used_at), new Date())
  return `It was last used ${text}.`
}
