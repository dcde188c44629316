import { createFileRoute } from '@tanstack/react-router'
import { LivePage } from '../../live/live-page.tsx'
import { readLiveSearch } from '../../live/live-search.ts'

export const Route = createFileRoute('/$environment/live')({
  validateSearch: readLiveSearch,
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <LivePage
      search={Route.useSearch()}
      onSearch={(search, replace = false) => void navigate({ search, replace, resetScroll: false })}
    />
  )
}
