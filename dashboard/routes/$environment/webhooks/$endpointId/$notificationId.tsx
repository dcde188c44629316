import { createFileRoute } from '@tanstack/react-router'
import { present, text } from '../../../../search.ts'
import { DeliveryPage } from '../../../../webhooks/delivery-page.tsx'

export const Route = createFileRoute('/$environment/webhooks/$endpointId/$notificationId')({
  validateSearch: (search) => present({ attempt: text(search.attempt) }),
  component: Page,
})

function Page() {
  const { endpointId, notificationId } = Route.useParams()
  return <DeliveryPage endpointId={endpointId} notificationId={notificationId} attempt={Route.useSearch().attempt} />
}
