import { createFileRoute } from '@tanstack/react-router'
import { AUDIT_RANGES, AuditPage, type AuditPageSearch } from '../../audit/audit-page.tsx'
import { one, present, text } from '../../search.ts'

export const Route = createFileRoute('/$environment/audit-log')({
  validateSearch: (search): AuditPageSearch =>
    present({
      member: text(search.member),
      action: text(search.action),
      in: text(search.in),
      range: one(search.range, AUDIT_RANGES),
      open: text(search.open),
    }),
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return <AuditPage search={Route.useSearch()} onSearch={(search) => void navigate({ search, resetScroll: false })} />
}
