import { createFileRoute } from '@tanstack/react-router'
import { one, present } from '../../../search.ts'
import { WebhooksPage } from '../../../webhooks/webhooks-page.tsx'

export const Route = createFileRoute('/$environment/webhooks/')({
  validateSearch: (search) => present({ create: one(search.create, ['endpoint']) }),
  component: Page,
})

function Page() {
  return <WebhooksPage create={Route.useSearch().create !== undefined} />
}
