import { createFileRoute } from '@tanstack/react-router'
import { one, present, text } from '../../../../search.ts'
import { DELIVERY_STATES } from '../../../../webhooks/delivery-states.ts'
import { EndpointPage } from '../../../../webhooks/endpoint-page.tsx'
import type { DeliverySearch } from '../../../../webhooks/queries.ts'

export const Route = createFileRoute('/$environment/webhooks/$endpointId/')({
  validateSearch: (search): DeliverySearch =>
    present({
      state: one(search.state, DELIVERY_STATES),
      about: text(search.about),
      range: one(search.range, ['24h', '7d', '30d']),
    }),
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <EndpointPage
      endpointId={Route.useParams().endpointId}
      search={Route.useSearch()}
      onSearch={(search, replace = false) => void navigate({ search: present(search), replace, resetScroll: false })}
    />
  )
}
