import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../api.ts'
import { count } from '../format/number.ts'
import { question } from '../format/question.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { toast } from '../parts/toast.tsx'
import { planQuery } from '../publication/queries.ts'
import { queryClient } from '../query-client.ts'
import { useEnvironment } from '../session/use-session.ts'
import { type ContentDetail, leaveOut, reloadContent } from './queries.ts'

type Props = { detail: ContentDetail; onClose: () => void }

export function TakeDownDialog({ detail, onClose }: Props) {
  const { slug: environment, name } = useEnvironment()
  const { data: plan, error } = useQuery(planQuery(environment, detail.id))
  return (
    <ConfirmDialog
      title={question(`Take down ${detail.name}`)}
      about={`Within a second nobody in ${name} sees it any more. What was seen stays remembered, and it can be published again.`}
      goes={[['Runs that are open now, and end', plan ? count(plan.inside) : error ? 'not counted' : '…']]}
      act="Take down"
      busy="Taking down…"
      onClose={onClose}
      onConfirm={async () => {
        await call('unpublishContent', { environment, content_id: detail.id })
        await reloadContent(environment)
        toast(`${detail.name} is taken down.`)
      }}
    />
  )
}

export function DeleteDialog({ detail, onClose }: Props) {
  const { slug: environment } = useEnvironment()
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      title={question(`Delete ${detail.name}`)}
      about="This cannot be undone. It deletes the content, its draft, and:"
      goes={[['Versions', count(detail.versions)]]}
      {...(detail.published ? { typed: detail.key } : {})}
      act="Delete content"
      busy="Deleting…"
      onClose={onClose}
      onConfirm={async () => {
        await call('deleteContent', { environment, content_id: detail.id })
        leaveOut(environment, detail.id)
        await navigate({ to: '/$environment/content', params: { environment } })
        queryClient.removeQueries({ queryKey: [environment, 'content', detail.id] })
        await reloadContent(environment)
        toast(`${detail.name} was deleted.`)
      }}
    />
  )
}
