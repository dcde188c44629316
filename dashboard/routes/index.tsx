import { createFileRoute, redirect } from '@tanstack/react-router'
import { environmentToOpen } from '../session/environment-to-open.ts'
import { requireSession } from '../session/require-session.ts'

export const Route = createFileRoute('/')({
  beforeLoad: async ({ location }) => {
    const session = await requireSession(location.href)
    throw redirect({ to: '/$environment', params: { environment: environmentToOpen(session) }, replace: true })
  },
})
