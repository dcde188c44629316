import { createFileRoute } from '@tanstack/react-router'
import { ProfilePage } from '../../../objects/profile-page.tsx'
import { profileQuery, SHOWN } from '../../../objects/queries.ts'
import { one, present, text } from '../../../search.ts'

export const Route = createFileRoute('/$environment/groups/$groupId')({
  validateSearch: (search) => present({ show: one(search.show, SHOWN), open: text(search.open) }),
  loader: ({ context, params }) => {
    void context.queryClient.prefetchQuery(profileQuery('groups', params.environment, params.groupId))
  },
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <ProfilePage
      kind="groups"
      id={Route.useParams().groupId}
      search={Route.useSearch()}
      onSearch={(search) => void navigate({ search, resetScroll: false })}
    />
  )
}
