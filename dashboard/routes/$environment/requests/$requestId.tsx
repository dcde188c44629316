import { createFileRoute } from '@tanstack/react-router'
import { RequestPage } from '../../../live/request-page.tsx'

export const Route = createFileRoute('/$environment/requests/$requestId')({ component: Page })

function Page() {
  return <RequestPage requestId={Route.useParams().requestId} />
}
