import { useNavigate } from '@tanstack/react-router'
import { call } from '../api.ts'
import { NameDialog } from '../parts/name-dialog.tsx'
import { queryClient } from '../query-client.ts'
import { sessionQuery } from '../session/queries.ts'

export function CreateEnvironmentDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <NameDialog
      title="Create an environment"
      about="It has its own users, groups, events, webhooks and keys."
      placeholder="Staging"
      act="Create environment"
      busy="Creating…"
      onClose={onClose}
      onSave={async (name) => {
        const { slug } = await call('createEnvironment', { name })
        await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
        onClose()
        await navigate({ to: '/$environment', params: { environment: slug } })
      }}
    />
  )
}
