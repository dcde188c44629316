import { createFileRoute } from '@tanstack/react-router'
import { number, present } from '../../../../search.ts'
import { VersionsPage } from '../../../../versions/versions-page.tsx'

export const Route = createFileRoute('/$environment/content/$contentId/versions')({
  validateSearch: (search) => present({ number: number(search.number), against: number(search.against) }),
  component: VersionsPage,
})
