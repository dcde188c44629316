import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { bounded, count } from '../format/number.ts'
import { question } from '../format/question.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { toast } from '../parts/toast.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { deleteObject } from './changes.ts'
import { type Collection, deletionQuery, type Profile } from './queries.ts'
import { textOf, WORDS } from './words.ts'

export function DeleteDialog({ kind, profile, onClose }: { kind: Collection; profile: Profile; onClose: () => void }) {
  const { slug, name: environment } = useEnvironment()
  const { data, error } = useQuery(deletionQuery(kind, slug, profile.id))
  const navigate = useNavigate()
  const { one, other } = WORDS[kind]
  const name = textOf(profile, 'name') ?? profile.id
  const goes: [string, string][] = data
    ? [
        ['Attributes', count(data.attributes)],
        [other, bounded(data.memberships)],
        ['Events', bounded(data.events)],
        ['Stored notifications', bounded(data.notifications)],
      ]
    : error
      ? ['Attributes', other, 'Events', 'Stored notifications'].map((what) => [what, 'not counted'])
      : []
  return (
    <ConfirmDialog
      title={question(`Delete ${name}`)}
      about={`This cannot be undone. It deletes, in ${environment}:`}
      goes={goes}
      typed={profile.id}
      act={`Delete ${one}`}
      busy="Deleting…"
      onClose={onClose}
      onConfirm={async () => {
        await deleteObject({ kind, environment: slug, id: profile.id })
        toast(`${name} was deleted.`)
        await navigate({ to: `/$environment/${kind}`, params: { environment: slug } })
      }}
    />
  )
}
