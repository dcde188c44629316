import { createFileRoute } from '@tanstack/react-router'
import { EditorPage } from '../../../../editor/editor-page.tsx'
import { number, present, text } from '../../../../search.ts'

/** `step`: of a flow or a checklist. `at`: a version that is looked at. */
export const Route = createFileRoute('/$environment/content/$contentId/steps')({
  validateSearch: (search) => present({ step: text(search.step), at: number(search.at) }),
  component: EditorPage,
})
