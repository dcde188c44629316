import { Empty } from '../parts/blank.tsx'
import { Page } from '../parts/page.tsx'
import { Bar } from '../shell/bar.tsx'

export function SegmentsPage() {
  return (
    <>
      <Bar current="Segments" />
      <Page title="Segments">
        <Empty title="Not in the dashboard yet">The API has it already: see the API reference.</Empty>
      </Page>
    </>
  )
}
