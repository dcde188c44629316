import { createFileRoute } from '@tanstack/react-router'
import { ListPage } from '../../../objects/list-page.tsx'
import { readListSearch } from '../../../objects/list-search.ts'

export const Route = createFileRoute('/$environment/groups/')({
  validateSearch: (search) => readListSearch('groups', search),
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  const search = Route.useSearch()
  return (
    <ListPage
      kind="groups"
      search={search}
      onSearch={(next, replace = false) => void navigate({ search: next, replace, resetScroll: false })}
    />
  )
}
