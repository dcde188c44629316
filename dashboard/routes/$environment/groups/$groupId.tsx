import { createFileRoute } from '@tanstack/react-router'
import { ProfilePage } from '../../../objects/profile-page.tsx'
import { readProfileSearch } from '../../../objects/profile-search.ts'
import { profileQuery } from '../../../objects/queries.ts'

export const Route = createFileRoute('/$environment/groups/$groupId')({
  validateSearch: readProfileSearch,
  loader: ({ context, params }) => {
    void context.queryClient.prefetchQuery(profileQuery('groups', params.environment, params.groupId))
  },
  component: () => <ProfilePage kind="groups" id={Route.useParams().groupId} />,
})
