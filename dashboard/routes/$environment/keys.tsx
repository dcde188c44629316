import { createFileRoute } from '@tanstack/react-router'
import { KeysPage } from '../../keys/keys-page.tsx'
import { one, present } from '../../search.ts'

export const Route = createFileRoute('/$environment/keys')({
  validateSearch: (search) => present({ create: one(search.create, ['key']) }),
  component: Page,
})

function Page() {
  return <KeysPage create={Route.useSearch().create !== undefined} />
}
