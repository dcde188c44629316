import { Empty } from '../parts/blank.tsx'
import { Page } from '../parts/page.tsx'
import { Bar } from '../shell/bar.tsx'

export function InstallPage() {
  return (
    <>
      <Bar current="Install" />
      <Page title="Install">
        <Empty title="Not in the dashboard yet">The API has it already: see the API reference.</Empty>
      </Page>
    </>
  )
}
