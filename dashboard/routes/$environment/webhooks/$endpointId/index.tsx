import { createFileRoute } from '@tanstack/react-router'
import { one, present } from '../../../../search.ts'
import { DELIVERY_STATES } from '../../../../webhooks/deliveries-section.tsx'
import { EndpointPage } from '../../../../webhooks/endpoint-page.tsx'

export const Route = createFileRoute('/$environment/webhooks/$endpointId/')({
  validateSearch: (search) => present({ state: one(search.state, DELIVERY_STATES) }),
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <EndpointPage
      endpointId={Route.useParams().endpointId}
      state={Route.useSearch().state}
      onState={(state) => void navigate({ search: state ? { state } : {}, resetScroll: false })}
    />
  )
}
