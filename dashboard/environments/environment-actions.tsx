import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api.ts'
import { count } from '../format/number.ts'
import { question } from '../format/question.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { Menu, MenuItem } from '../parts/menu.tsx'
import { NameDialog } from '../parts/name-dialog.tsx'
import { toast } from '../parts/toast.tsx'
import { queryClient } from '../query-client.ts'
import { sessionQuery } from '../session/queries.ts'
import { type Environment, useReason } from '../session/use-session.ts'
import { usageQuery } from '../usage/queries.ts'
import { CopyDescriptionsDialog } from './copy-descriptions-dialog.tsx'

const reload = () => queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })

export function EnvironmentActions({ environment }: { environment: Environment }) {
  const { slug, name } = environment
  const [open, setOpen] = useState<'rename' | 'copy' | 'delete'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <Menu trigger={<Button small className="square" aria-label={`Actions for ${name}`} icon="more" />}>
        <MenuItem icon="pencil" reason={useReason('renameEnvironment')} onSelect={() => setOpen('rename')}>
          Rename
        </MenuItem>
        <MenuItem icon="copy" reason={useReason('copyDescriptions')} onSelect={() => setOpen('copy')}>
          Copy descriptions into it
        </MenuItem>
        <MenuItem icon="trash" danger reason={useReason('deleteEnvironment')} onSelect={() => setOpen('delete')}>
          Delete environment
        </MenuItem>
      </Menu>
      {open === 'rename' && (
        <NameDialog
          title={`Rename ${name}`}
          about={`Addresses keep ${slug}.`}
          value={name}
          act="Rename environment"
          busy="Renaming…"
          onClose={close}
          onSave={async (next) => {
            await call('renameEnvironment', { environment: slug, name: next })
            await reload()
            close()
          }}
        />
      )}
      {open === 'copy' && <CopyDescriptionsDialog environment={environment} onClose={close} />}
      {open === 'delete' && <DeleteEnvironment environment={environment} onClose={close} />}
    </>
  )
}

function DeleteEnvironment({
  environment: { slug, name },
  onClose,
}: {
  environment: Environment
  onClose: () => void
}) {
  const navigate = useNavigate()
  const { data } = useQuery(usageQuery)
  const known = data?.environments.find((one) => one.slug === slug)
  return (
    <ConfirmDialog
      title={question(`Delete ${name}`)}
      about="This cannot be undone. Requests with its keys are answered with 401 at once. It deletes:"
      goes={[
        ['Users', known ? count(known.users) : 'all'],
        ['Groups', known ? count(known.groups) : 'all'],
        ['Events and definitions', 'all'],
        ['Webhooks, and deliveries that wait', 'all'],
        ['Keys', 'all'],
      ]}
      typed={name}
      act="Delete environment"
      busy="Deleting…"
      onClose={onClose}
      onConfirm={async () => {
        await call('deleteEnvironment', { environment: slug, name })
        toast(`${name} was deleted.`)
        const session = await reload()
        const next = session.environments[0]?.slug ?? ''
        queryClient.removeQueries({ queryKey: [slug] })
        await navigate({ to: '/$environment/environments', params: { environment: next } })
      }}
    />
  )
}
