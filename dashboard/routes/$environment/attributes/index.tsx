import { createFileRoute } from '@tanstack/react-router'
import { AttributesPage } from '../../../definitions/attributes-page.tsx'
import { readDefinitionSearch } from '../../../definitions/definition-search.ts'

export const Route = createFileRoute('/$environment/attributes/')({
  validateSearch: readDefinitionSearch,
  component: AttributesPage,
})
