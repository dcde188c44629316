import { createFileRoute } from '@tanstack/react-router'
import { one, present, text } from '../../../search.ts'
import { NewSegmentPage } from '../../../segments/new-segment-page.tsx'

export const Route = createFileRoute('/$environment/segments/new')({
  validateSearch: (search) =>
    present({ scope: one(search.scope, ['user', 'group']), condition: text(search.condition) }),
  component: () => {
    const { scope = 'user', condition } = Route.useSearch()
    return <NewSegmentPage key={`${scope} ${condition}`} scope={scope} given={condition} />
  },
})
