import { createFileRoute } from '@tanstack/react-router'
import { ContentShell } from '../../../../content/content-shell.tsx'

/** The head and the tabs of a content, around the page of each tab. */
export const Route = createFileRoute('/$environment/content/$contentId')({
  staticData: { isRail: true },
  validateSearch: (search: Record<string, unknown>): { publish?: string } =>
    search.publish === undefined ? {} : { publish: 'yes' },
  component: () => <ContentShell id={Route.useParams().contentId} />,
})
