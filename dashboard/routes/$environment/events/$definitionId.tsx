import { createFileRoute } from '@tanstack/react-router'
import { EventPage } from '../../../definitions/event-page.tsx'

export const Route = createFileRoute('/$environment/events/$definitionId')({ component: Page })

function Page() {
  return <EventPage definitionId={Route.useParams().definitionId} />
}
