import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api.ts'
import { bounded } from '../format/number.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { Menu, MenuItem } from '../parts/menu.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { toast } from '../parts/toast.tsx'
import { queryClient } from '../query-client.ts'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { EndpointDialog } from './endpoint-dialog.tsx'
import type { Endpoint } from './queries.ts'
import { hostOf, placeOf } from './words.ts'

export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const { slug } = useEnvironment()
  const [open, setOpen] = useState<'edit' | 'rotate' | 'delete'>()
  const [secret, setSecret] = useState<string>()
  const reason = useReason('updateEndpoint')
  const close = () => setOpen(undefined)
  const reload = () => queryClient.invalidateQueries({ queryKey: [slug, 'endpoints'] })
  const about = { environment: slug, endpoint_id: endpoint.id }
  const { run, running, problem } = useAction(async () => {
    await call('updateEndpoint', { ...about, disabled: !endpoint.disabled })
    await reload()
    toast(
      endpoint.disabled
        ? 'The endpoint is enabled. What was on hold goes out.'
        : 'The endpoint is disabled. Its deliveries are on hold.',
    )
  })
  return (
    <>
      {problem && (
        <small className="problem-text" role="alert">
          {problem}
        </small>
      )}
      <Button
        icon={endpoint.disabled ? 'play' : 'pause'}
        reason={reason}
        busy={running && 'Saving…'}
        onClick={() => void run()}
      >
        {endpoint.disabled ? 'Enable' : 'Disable'}
      </Button>
      <Button icon="pencil" reason={reason} onClick={() => setOpen('edit')}>
        Edit
      </Button>
      <Menu trigger={<Button className="square" aria-label="More actions" icon="more" />}>
        <MenuItem icon="key" reason={reason} onSelect={() => setOpen('rotate')}>
          Rotate the secret
        </MenuItem>
        <MenuItem icon="trash" danger reason={reason} onSelect={() => setOpen('delete')}>
          Delete endpoint
        </MenuItem>
      </Menu>
      {open === 'edit' && <EndpointDialog endpoint={endpoint} onClose={close} />}
      {open === 'rotate' && (
        <ConfirmDialog
          title="Rotate the signing secret?"
          about="For 24 hours each request is signed with the old secret and with the new one, so nothing is refused during this time. Give the new one to your receiver within this time."
          act="Rotate secret"
          busy="Rotating…"
          onClose={close}
          onConfirm={async () => setSecret((await call('rotateSecret', about)).secret)}
        />
      )}
      {secret && (
        <SecretDialog
          title="New signing secret"
          about="It is shown this once. The old secret signs for 24 hours more."
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
      {open === 'delete' && <DeleteEndpoint endpoint={endpoint} onClose={close} />}
    </>
  )
}

function DeleteEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const { slug } = useEnvironment()
  const navigate = useNavigate()
  const { waiting } = endpoint.health
  return (
    <ConfirmDialog
      title={`Delete ${placeOf(endpoint.url)}?`}
      about="This cannot be undone. It deletes the endpoint, its secret, and:"
      goes={[
        ['Deliveries that wait', bounded(waiting)],
        ['Its delivery log', 'all of it'],
      ]}
      typed={hostOf(endpoint.url)}
      act="Delete endpoint"
      busy="Deleting…"
      onClose={onClose}
      onConfirm={async () => {
        await call('deleteEndpoint', { environment: slug, endpoint_id: endpoint.id })
        await navigate({ to: '/$environment/webhooks', params: { environment: slug } })
        queryClient.removeQueries({ queryKey: [slug, 'endpoints', endpoint.id] })
        await queryClient.invalidateQueries({ queryKey: [slug, 'endpoints'] })
        toast(`${placeOf(endpoint.url)} was deleted.`)
      }}
    />
  )
}
