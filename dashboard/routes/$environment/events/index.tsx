import { createFileRoute } from '@tanstack/react-router'
import { readDefinitionSearch } from '../../../definitions/definition-search.ts'
import { EventsPage } from '../../../definitions/events-page.tsx'

export const Route = createFileRoute('/$environment/events/')({
  validateSearch: readDefinitionSearch,
  component: EventsPage,
})
