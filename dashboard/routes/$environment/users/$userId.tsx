import { createFileRoute } from '@tanstack/react-router'
import { ProfilePage } from '../../../objects/profile-page.tsx'
import { readProfileSearch } from '../../../objects/profile-search.ts'
import { profileQuery } from '../../../objects/queries.ts'

export const Route = createFileRoute('/$environment/users/$userId')({
  validateSearch: readProfileSearch,
  loader: ({ context, params }) => {
    void context.queryClient.prefetchQuery(profileQuery('users', params.environment, params.userId))
  },
  component: () => <ProfilePage kind="users" id={Route.useParams().userId} />,
})
