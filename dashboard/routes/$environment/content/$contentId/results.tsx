import { createFileRoute } from '@tanstack/react-router'
import { figureKinds } from '../../../../../contract/dashboard/figure-kinds.ts'
import { ResultsPage } from '../../../../results/results-page.tsx'
import { number, one, present, text } from '../../../../search.ts'

export const Route = createFileRoute('/$environment/content/$contentId/results')({
  validateSearch: (search) =>
    present({
      ...{ version: number(search.version), against: number(search.against), days: number(search.days) },
      q: text(search.q),
      ...{ of: one(search.of, figureKinds), step: text(search.step), reason: text(search.reason) },
      ...{ question: text(search.question), value: text(search.value) },
    }),
  component: ResultsPage,
})
