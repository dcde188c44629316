import { createFileRoute } from '@tanstack/react-router'
import { EditorPage } from '../../../../editor/editor-page.tsx'
import { number, present, text } from '../../../../search.ts'

/** `step`: of a flow or a checklist. `at`: a version that is looked at. `as`: the user whose path is shown. */
export const Route = createFileRoute('/$environment/content/$contentId/steps')({
  validateSearch: (search) => present({ step: text(search.step), at: number(search.at), as: text(search.as) }),
  component: EditorPage,
})
