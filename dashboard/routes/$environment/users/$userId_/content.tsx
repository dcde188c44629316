import { createFileRoute } from '@tanstack/react-router'
import { ProfilePage } from '../../../../objects/profile-page.tsx'
import { profileQuery } from '../../../../objects/queries.ts'
import { present, text } from '../../../../search.ts'

export const Route = createFileRoute('/$environment/users/$userId_/content')({
  validateSearch: (search) => present({ open: text(search.open) }),
  loader: ({ context, params }) => {
    void context.queryClient.prefetchQuery(profileQuery('users', params.environment, params.userId))
  },
  component: () => <ProfilePage kind="users" id={Route.useParams().userId} tab="content" />,
})
