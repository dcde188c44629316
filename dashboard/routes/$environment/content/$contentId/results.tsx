import { createFileRoute } from '@tanstack/react-router'
import { ResultsPage } from '../../../../results/results-page.tsx'
import { number, present, text } from '../../../../search.ts'

export const Route = createFileRoute('/$environment/content/$contentId/results')({
  validateSearch: (search) =>
    present({ version: number(search.version), against: number(search.against), q: text(search.q) }),
  component: ResultsPage,
})
