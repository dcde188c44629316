import { createFileRoute } from '@tanstack/react-router'
import { AuditPage, type AuditPageSearch } from '../../audit/audit-page.tsx'
import { present, text } from '../../search.ts'

export const Route = createFileRoute('/$environment/audit-log')({
  validateSearch: (search): AuditPageSearch =>
    present({ member: text(search.member), action: text(search.action), in: text(search.in), open: text(search.open) }),
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return <AuditPage search={Route.useSearch()} onSearch={(search) => void navigate({ search, resetScroll: false })} />
}
