import { createFileRoute } from '@tanstack/react-router'
import { readDefinitionSearch } from '../../../definitions/definition-search.ts'
import { EventsPage } from '../../../definitions/events-page.tsx'

export const Route = createFileRoute('/$environment/events/')({
  validateSearch: readDefinitionSearch,
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <EventsPage
      search={Route.useSearch()}
      onSearch={(search, replace = false) => void navigate({ search, replace, resetScroll: false })}
    />
  )
}
