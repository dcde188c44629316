import { useContent } from '../content/use-draft.ts'
import { Empty } from '../parts/blank.tsx'

/** How a content does. */
export function ResultsPage() {
  const { detail } = useContent()
  return (
    <div className="page">
      <Empty title={detail.seen === 0 ? 'Nobody has seen it yet' : 'Results'}>
        Runs are counted from the first step on.
      </Empty>
    </div>
  )
}
