import { createFileRoute } from '@tanstack/react-router'
import { AttributesPage } from '../../../definitions/attributes-page.tsx'
import { readDefinitionSearch } from '../../../definitions/definition-search.ts'

export const Route = createFileRoute('/$environment/attributes/')({
  validateSearch: readDefinitionSearch,
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <AttributesPage
      search={Route.useSearch()}
      onSearch={(search, replace = false) => void navigate({ search, replace, resetScroll: false })}
    />
  )
}
