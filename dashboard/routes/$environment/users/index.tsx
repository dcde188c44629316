import { createFileRoute } from '@tanstack/react-router'
import { ListPage } from '../../../objects/list-page.tsx'
import { readListSearch } from '../../../objects/list-search.ts'

export const Route = createFileRoute('/$environment/users/')({
  validateSearch: (search) => readListSearch('users', search),
  component: () => <ListPage kind="users" />,
})
