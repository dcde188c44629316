import { createFileRoute } from '@tanstack/react-router'
import { AuditPage } from '../../audit/audit-page.tsx'
import { readAuditSearch } from '../../audit/audit-search.ts'

export const Route = createFileRoute('/$environment/audit-log')({
  validateSearch: readAuditSearch,
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <AuditPage
      search={Route.useSearch()}
      onSearch={(search, replace = false) => void navigate({ search, replace, resetScroll: false })}
    />
  )
}
