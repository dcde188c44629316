import { createFileRoute } from '@tanstack/react-router'
import { InstallPage } from '../../../install/install-page.tsx'
import { one, present } from '../../../search.ts'

export const Route = createFileRoute('/$environment/settings/install')({
  validateSearch: (search) => present({ show: one(search.show, ['lacking']) }),
  component: InstallPage,
})
