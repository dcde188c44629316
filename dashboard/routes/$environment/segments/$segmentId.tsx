import { createFileRoute } from '@tanstack/react-router'
import { present, text } from '../../../search.ts'
import { SegmentPage } from '../../../segments/segment-page.tsx'

export const Route = createFileRoute('/$environment/segments/$segmentId')({
  validateSearch: (search) => present({ from: text(search.from) }),
  component: () => <SegmentPage id={Route.useParams().segmentId} />,
})
