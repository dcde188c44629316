import { createFileRoute } from '@tanstack/react-router'
import { ProfilePage } from '../../../../objects/profile-page.tsx'
import { profileQuery } from '../../../../objects/queries.ts'
import { readContentOfUserSearch } from '../../../../receipts/content-of-user-search.ts'

export const Route = createFileRoute('/$environment/users/$userId_/content')({
  validateSearch: readContentOfUserSearch,
  loader: ({ context, params }) => {
    void context.queryClient.prefetchQuery(profileQuery('users', params.environment, params.userId))
  },
  component: () => <ProfilePage kind="users" id={Route.useParams().userId} tab="content" />,
})
