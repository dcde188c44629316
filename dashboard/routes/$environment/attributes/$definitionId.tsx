import { createFileRoute } from '@tanstack/react-router'
import { AttributePage } from '../../../definitions/attribute-page.tsx'

export const Route = createFileRoute('/$environment/attributes/$definitionId')({ component: Page })

function Page() {
  return <AttributePage definitionId={Route.useParams().definitionId} />
}
