import { createFileRoute } from '@tanstack/react-router'
import { ContentPage } from '../../../content/content-page.tsx'
import { readContentSearch } from '../../../content/content-search.ts'

export const Route = createFileRoute('/$environment/content/')({
  validateSearch: readContentSearch,
  component: ContentPage,
})
