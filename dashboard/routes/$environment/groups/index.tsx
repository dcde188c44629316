import { createFileRoute } from '@tanstack/react-router'
import { ListPage } from '../../../objects/list-page.tsx'
import { readListSearch } from '../../../objects/list-search.ts'

export const Route = createFileRoute('/$environment/groups/')({
  validateSearch: (search) => readListSearch('groups', search),
  component: () => <ListPage kind="groups" />,
})
